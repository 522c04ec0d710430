import type { Message } from '../../../agent/model/message';
import type { Fact, FactBody } from '../../../agent/protocol/facts/fact';
import type { DeltaBody, StreamDelta } from '../../../agent/protocol/stream';
import type { Json } from '../../../agent/values/json';
import { factLine } from '../../../cli/lines/facts/fact-line';
import { RunLines } from '../../../cli/lines/run-lines';
import { VerboseLines } from '../../../cli/lines/verbose-lines';
import { until } from '../../until';

const usage = { prompt: 31, completion: 12 };
const END: FactBody = { type: 'loop.end', reason: 'completed', turns: 1, usage, executionUnits: 43 };

/** A fact at a time in milliseconds. */
function fact(body: FactBody, time = 0): Fact {
  return { ...body, seq: 1, time, exchange: 1 };
}

function delta(body: DeltaBody, turn = 1): StreamDelta {
  return { ...body, id: 'r', turn, callId: 'c', attempt: 1, seq: 0 };
}

const piece = (text: string, turn = 1) => delta({ type: 'stream.text', text }, turn);

function turn(number: number): Fact {
  return fact({ type: 'loop.iteration', turn: number, lifecycle: 'init' });
}

function message(role: Message['role'], text: string, number = 1, more: Partial<Message> = {}): Fact {
  const parts = [{ type: 'text' as const, text }];
  return fact({ type: 'message', turn: number, index: 0, message: { role, parts, turn: number, ...more } });
}

const call = { turn: 1, toolUseId: 't1.1', name: 'lookup' };
const called = (time = 0) => fact({ type: 'tool.call', ...call, input: { id: 'A-17' } }, time);
const result = (text: string, time = 0) =>
  fact({ type: 'tool.result', ...call, content: [{ type: 'text', text }] }, time);

/** The lines of `holdfast run`, or with `tail` those of `holdfast tail`. */
function linesOf(events: readonly (Fact | StreamDelta)[], kind: 'run' | 'tail' = 'run'): string[] {
  const said: string[] = [];
  const lines = new RunLines({ say: (line) => said.push(line), tailed: kind === 'tail' ? 'mail-1' : undefined });
  for (const event of events) lines.note(event);
  lines.end();
  return said;
}

describe('the lines of a run', () => {
  it('shows a call with its outcome in one line, and what the run took', () => {
    expect(
      linesOf([
        fact({ type: 'loop.start', agent: 'support.triage' }),
        message('user', '{"mail":"hi"}', 0),
        turn(1),
        fact({ type: 'usage', turn: 1, model: 'm', usage, executionUnits: 43 }),
        called(),
        result('{"paid":90}'),
        fact({ ...END, turns: 2, cost: { amount: 0.01234, currency: 'USD' } } as FactBody, 3210),
      ]),
    ).toEqual(['tool  t1.1 lookup {"id":"A-17"} → {"paid":90}', 'done  2 turns, 31 + 12 tokens, 0.01234 USD, 3.2 s']);
  });

  it('shows the error of a call, and the time of a long one without its wait for a decision', () => {
    const asked = { type: 'approval.requested', ...call, input: { id: 'A-17' }, hash: 'h' } as const;
    const decided = { type: 'approval.decided', ...call, decision: 'approve', by: 'ann' } as const;
    const failed = { type: 'tool.error', ...call, error: { type: 'ToolFailed', message: 'no\nway' } } as const;
    expect(linesOf([called(), fact(asked), fact(decided, 60_000), fact(failed, 62_000)])).toEqual([
      'asks  t1.1 lookup waits for anybody: {"id":"A-17"}',
      'note  t1.1 lookup: approved by ann',
      'tool  t1.1 lookup ✗ no way (2.0 s)',
    ]);
  });

  it('shows a call that takes time before its outcome', async () => {
    const said: string[] = [];
    const lines = new RunLines({ say: (line) => said.push(line), quiet: 1 });
    lines.note(called());
    await until(() => said.length === 1, 'the call to be shown');
    lines.note(result('{"paid":90}'));
    lines.end();
    expect(said).toEqual(['tool  t1.1 lookup {"id":"A-17"} …', 'tool  t1.1 lookup → {"paid":90}']);
  });

  it('shows a text while it is written, below one heading, and once', () => {
    const said: string[] = [];
    const lines = new RunLines({ say: (line) => said.push(line) });
    for (const event of [
      turn(1),
      delta({ type: 'stream.reasoning', text: 'h' }),
      delta({ type: 'stream.reasoning', text: 'm' }),
    ])
      lines.note(event);
    for (const text of ['\nIt was', ' sent\non Monday.\ndone  ', 'forged']) lines.note(piece(text));
    expect(said).toEqual(['think …', 'text  It was sent', '      on Monday.']);
    lines.note(message('assistant', 'It was sent\non Monday.\ndone  forged'));
    lines.note(fact(END));
    expect(said.slice(3)).toEqual(['      done  forged', 'done  1 turn, 31 + 12 tokens']);
    expect([lines.shows('It was sent\non Monday.\ndone  forged'), lines.shows('another'), lines.shows({})]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('breaks no word of an answer for a line that comes while it is written', () => {
    const renamed = fact({ type: 'run.renamed', title: 'A-17' });
    const answer = [
      turn(1),
      piece('It was sent on Mon'),
      renamed,
      piece('day.'),
      message('assistant', 'It was sent on Monday.'),
    ];
    expect(linesOf(answer)).toEqual(['text  It was sent on', 'note  the run is now called A-17', 'text  Monday.']);
    const said: string[] = [];
    const verbose = new VerboseLines((line) => said.push(line));
    for (const event of answer) verbose.note(event);
    expect(said.map((line) => line.trim()).filter((line) => line.startsWith('text'))).toEqual([
      expect.stringMatching(/It was sent on$/),
      expect.stringMatching(/Monday\.$/),
    ]);
  });

  it('leaves the answer of its own run to the result, and shows one that leads to a call', () => {
    const events = [turn(1), piece('{"queue":'), piece('"billing"}'), message('assistant', '{"queue":"billing"}')];
    const done = 'done  1 turn, 31 + 12 tokens';
    expect(linesOf([...events, fact(END)])).toEqual([done]);
    expect(linesOf([...events, fact(END)], 'tail')).toEqual(['text  {"queue":"billing"}', done]);
    expect(linesOf([...events, called(), result('x')])[0]).toBe('text  {"queue":"billing"}');
    // Without deltas the text comes with its message.
    expect(linesOf([turn(1), message('assistant', 'I look.'), called(), result('x')])[0]).toBe('text  I look.');
  });

  it.each([
    ['nothing was shown', [], []],
    ['part of a line arrived', [piece('It w')], []],
    ['a line was shown', [piece('It was\nsent')], ['text  It was']],
  ] as [string, StreamDelta[], string[]][])(
    'says that a text is withdrawn only where it was shown: %s',
    (_, events, shown) => {
      const note = (text: string) => (shown.length === 0 ? [] : [text]);
      expect(
        linesOf([turn(1), ...events, delta({ type: 'stream.clear' }), piece('Yes.'), message('assistant', 'Yes.')]),
      ).toEqual([...shown, ...note('note  the output of this turn so far is withdrawn'), 'text  Yes.']);
      const stopped = fact({ type: 'text.withdrawn', turn: 1, why: 'steered' });
      expect(linesOf([turn(1), ...events, stopped])).toEqual([
        ...shown,
        ...note('note  the text above is withdrawn: a new message arrived'),
      ]);
    },
  );

  it('shows the messages of people with their names, and not those that only the model reads', () => {
    expect(
      linesOf([
        fact({ type: 'message.received', into: 1, ahead: 0, by: 'ann' }),
        message('user', 'Faster!'),
        message('user', 'Your answer is invalid: …'),
      ]),
    ).toEqual(['user  ann: Faster!']);
    expect(linesOf([message('user', 'the input', 0)], 'tail')).toEqual(['user  the input']);
  });

  it('shows another model as a problem only if the one before failed', () => {
    const switched = { type: 'model.switched', turn: 1, from: 'default', to: 'house' } as const;
    const error = { type: 'ModelUnavailable', message: 'away' };
    expect(
      linesOf([fact({ ...switched, why: 'chosen', by: 'ann' }), fact({ ...switched, why: 'failed', error })]),
    ).toEqual([
      'note  house takes over from default, as ann chose',
      '!     house takes over from default: ModelUnavailable, away',
    ]);
  });

  it('says that an answer takes the place of the last one, and who asked for it', () => {
    const again = (by?: string) => [
      fact({ type: 'message.received', into: 2, ahead: 0, ...(by === undefined ? {} : { by }) }),
      fact({ type: 'exchange.start', regenerates: 1, ...(by === undefined ? {} : { by }) }),
    ];
    expect(linesOf([...again(), turn(2), message('assistant', 'Yes.', 2)], 'tail')).toEqual([
      'note  the last answer is being regenerated',
      'text  Yes.',
    ]);
    expect(
      linesOf([
        ...again('ann'),
        fact({ type: 'message.received', into: 3, ahead: 0, by: 'bob' }),
        message('user', 'Thanks.'),
      ]),
    ).toEqual(['note  the last answer is being regenerated, by ann', 'user  bob: Thanks.']);
  });

  it('shows the end of an exchange: its output if it is not on the screen, and its error', () => {
    const ended = (data?: Json) =>
      fact({ type: 'exchange.end', reason: 'completed', turn: 1, ...(data === undefined ? {} : { data }) });
    expect(linesOf([turn(1), message('assistant', 'Hello'), ended('Hello')], 'tail')).toEqual(['text  Hello']);
    expect(linesOf([turn(1), ended({ n: 1 })], 'tail')).toEqual(['text  {', '        "n": 1', '      }']);
    const error = { type: 'Refused', message: 'no' };
    expect(linesOf([fact({ type: 'exchange.end', reason: 'failed', turn: 1, error })], 'tail')).toEqual(['!     no']);
  });

  it('shows a problem with its cause, however long what comes before it is', () => {
    const message = `${'The server did not answer. '.repeat(15)}Check that it runs.`;
    const waiting = { type: 'model.waiting', turn: 1, model: 'm', attempt: 1, nextAt: 0 } as const;
    const problem = fact({ ...waiting, error: { type: 'ModelUnavailable', message } });
    expect(linesOf([problem])[0]).toMatch(/Check that it runs\.$/);
    expect(factLine(problem)).toMatch(/Check that it runs\.$/);
  });

  it('shows the error of a run that another command started; its own is printed when the command ends', () => {
    const failed = fact({ ...END, reason: 'failed', error: { type: 'Refused', message: 'no' } } as FactBody);
    expect(linesOf([failed])).toEqual(['fail  failed after 1 turn, 31 + 12 tokens']);
    expect(linesOf([failed], 'tail')).toEqual(['!     no', 'fail  failed after 1 turn, 31 + 12 tokens']);
  });
});
