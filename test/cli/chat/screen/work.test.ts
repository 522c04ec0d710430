import type { Fact, FactBody } from '../../../../agent/protocol/facts/fact';
import type { RunState } from '../../../../agent/state/run-state';
import { workOf } from '../../../../cli/chat/screen/work';
import { ChatLines } from '../../../../cli/lines/chat-lines';
import { ChatStyle } from '../../../../cli/terminal/style';

let lines: ChatLines;
beforeEach(() => {
  lines = new ChatLines(() => true);
});

const fact = (body: FactBody, time = 0) => lines.note({ ...body, seq: 1, time, exchange: 1 } as Fact, time);
const error = { type: 'ModelUnavailable', message: '503' };
const waits = (nextAt: number) => fact({ type: 'model.waiting', turn: 1, model: 'house', error, attempt: 1, nextAt });
const status = (now: number, more: object = {}) => {
  const work = workOf({ lines, sending: undefined, waiting: 0, problem: undefined, ...more }, now);
  return work === undefined ? undefined : `${work.what}${work.more}`;
};

test('a chat says that it answers, and which tools run', () => {
  expect(status(0)).toBeUndefined();
  fact({ type: 'exchange.start' });
  expect(status(1000)).toBe('answering · 1.0 s · Ctrl-C stops it');
  fact({ type: 'tool.call', turn: 1, toolUseId: 't1.1', name: 'lookup', input: {}, hash: 'h' } as unknown as FactBody);
  expect(status(2000)).toBe('lookup · 2.0 s · Ctrl-C stops it');
  expect(status(2000, { waiting: 1 })).toBe('it waits for you: /waiting');
});

test('while the model gives no answer, a chat counts down to its next try', () => {
  fact({ type: 'exchange.start' });
  waits(60_000);
  expect(status(12_400)).toBe('next try of house in 48 s · /retry asks it now · Ctrl-C stops it');
  // No fact tells that the time has come.
  expect(status(60_000)).toBe('asking house again · 60 s · Ctrl-C stops it');
  waits(400_000);
  expect(status(100_000)).toBe('next try of house in 5 min · /retry asks it now · Ctrl-C stops it');
  fact({ type: 'model.retried', turn: 1, model: 'house' });
  expect(status(101_000)).toBe('asking house again · 101 s · Ctrl-C stops it');
});

test.each<[string, FactBody]>([
  ['another model takes over', { type: 'model.switched', turn: 1, from: 'house', to: 'b', why: 'chosen' }],
  ['the answer arrives', { type: 'message', turn: 1, index: 0, message: { role: 'assistant', turn: 1, parts: [] } }],
])('when %s, it answers', (_, body) => {
  fact({ type: 'exchange.start' });
  waits(60_000);
  fact(body);
  expect(status(1000)).toBe('answering · 1.0 s · Ctrl-C stops it');
});

test('a chat that takes up a run says why it waits, and until when', () => {
  const outage = { since: 0, failures: 2, error, nextAt: 60_000 };
  const state = { exchange: 3, models: ['a', 'house'], model: 1, outage } as unknown as RunState;
  expect(lines.takeUp(state, 0)).toEqual([
    {
      tone: 'warning',
      text:
        'The model `house` has given no answer since 1970-01-01T00:00:00.000Z. ' +
        'Holdfast asks it again at 1970-01-01T00:01:00.000Z. ' +
        'Type /retry to ask it at once, or /model <alias> to use another one. ' +
        'It has failed 2 times in a row, the last time with ModelUnavailable: 503',
    },
  ]);
  expect(status(0)).toBe('next try of house in 60 s · /retry asks it now · Ctrl-C stops it');
});

test('what is known of a silence is said in place of the work', () => {
  fact({ type: 'exchange.start' });
  const problem = 'asking the model: in line for `house` since 09:40:11';
  expect(status(1000, { problem })).toBe(`${problem} · 1.0 s · Ctrl-C stops it`);
});

test('a narrow terminal shows what the run waits for, and leaves out the rest', () => {
  const row = (width: number) =>
    new ChatStyle(false).status('next try of house in 48 s', width, ' · /retry asks it now · Ctrl-C stops it');
  expect(row(80)).toBe('│  next try of house in 48 s · /retry asks it now · Ctrl-C stops it');
  expect(row(40)).toBe('│  next try of house in 48 s');
  expect(new ChatStyle(false).status('x'.repeat(90), 80, ' · 1.0 s')).toHaveLength(79);
});

test('a message that is not taken yet says why, if that is known', () => {
  expect(status(5000, { sending: 0 })).toBe('sending · 5.0 s · no worker has taken it yet');
  const problem = 'No Temporal server answers. Start one with `holdfast dev`.';
  expect(status(5000, { sending: 0, problem })).toBe(
    'sending: No Temporal server answers. Start one with `holdfast dev`. · 5.0 s',
  );
});
