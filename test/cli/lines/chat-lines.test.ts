import type { Money } from '../../../agent/model/cost/money';
import type { Usage } from '../../../agent/model/cost/usage';
import type { Part } from '../../../agent/model/message';
import type { Fact, FactBody } from '../../../agent/protocol/facts/fact';
import type { DeltaBody, StreamDelta } from '../../../agent/protocol/stream';
import type { ChatLine } from '../../../cli/chat/line';
import { ChatLines } from '../../../cli/lines/chat-lines';

let lines: ChatLines;
beforeEach(() => {
  lines = new ChatLines((id) => id === 'mine');
});

const shown = (all: ChatLine[]) => all.map(({ tone, text, more }) => `${tone}${more ? '+' : ''}: ${text}`);
const fact = (body: FactBody, time = 0) => shown(lines.note({ ...body, seq: 1, time, exchange: 1 } as Fact, time));
const delta = (body: DeltaBody, now = 0) =>
  shown(lines.note({ ...body, id: 'c', turn: 1, callId: 'm1', attempt: 1, seq: 0 } as StreamDelta, now));
const says = (role: 'user' | 'assistant', parts: (Part | string)[], more: object = {}): FactBody => ({
  type: 'message',
  turn: 1,
  index: 0,
  message: {
    role,
    turn: 1,
    parts: parts.map((part) => (typeof part === 'string' ? { type: 'text' as const, text: part } : part)),
    ...more,
  },
});
const usage = (prompt: number, completion: number, more: Partial<Usage> = {}, cost?: Money): FactBody => ({
  type: 'usage',
  turn: 1,
  model: 'm',
  usage: { prompt, completion, ...more },
  executionUnits: 0,
  ...(cost === undefined ? {} : { cost }),
});

test('an answer is live while it streams, and its message completes it', () => {
  expect(delta({ type: 'stream.text', text: 'Hel' })).toEqual([]);
  delta({ type: 'stream.text', text: 'lo' });
  expect(lines.stream.live).toEqual({ tone: 'text', text: 'Hello' });
  expect(fact(says('assistant', ['Hello!']))).toEqual(['text: Hello!']);
  expect(lines.stream.live).toBeUndefined();
});

test('after an answer that was too long for the screen only the rest follows', () => {
  delta({ type: 'stream.text', text: 'One. Two.' });
  lines.stream.take(5);
  expect(lines.stream.live).toEqual({ tone: 'text', text: 'Two.', more: true });
  expect(fact(says('assistant', ['One. Two. Three.']))).toEqual(['text+: Two. Three.']);
});

test('an answer with lost deltas is shown in full', () => {
  delta({ type: 'stream.text', text: 'Two.' });
  lines.stream.take(4);
  expect(fact(says('assistant', ['One. Two.']))).toEqual(['text: One. Two.']);
});

test('without deltas the message is the answer', () => {
  expect(fact(says('assistant', [{ type: 'reasoning', text: 'Hmm.' }, 'Hello!']))).toEqual([
    'thinks: thought 4 characters',
    'text: Hello!',
  ]);
});

test('thinking is folded, and can be read again', () => {
  delta({ type: 'stream.reasoning', text: 'Let me ' }, 1000);
  delta({ type: 'stream.reasoning', text: 'see' }, 2200);
  expect(lines.stream.live).toEqual({ tone: 'thinks', text: 'thinking… 1.2 s, 10 characters' });
  expect(delta({ type: 'stream.text', text: 'Yes' }, 2300)).toEqual(['thinks: thought 1.2 s, 10 characters']);
  expect(lines.stream.thought).toBe('Let me see');
});

test('a withdrawn text is marked, and shown once', () => {
  delta({ type: 'stream.text', text: 'I am going to' });
  expect(fact({ type: 'text.withdrawn', turn: 1, why: 'steered' })).toEqual([
    'withdrawn: I am going to',
    'note: (withdrawn: a new message arrived)',
  ]);
  expect(fact(says('assistant', ['I am going to'], { partial: true }))).toEqual([]);
});

test('a note says that a part can no longer be marked', () => {
  delta({ type: 'stream.text', text: 'Above. Below.' });
  lines.stream.take(7);
  expect(delta({ type: 'stream.clear' })).toEqual([
    'withdrawn+: Below.',
    'note: (withdrawn, including the text above: the model starts again)',
  ]);
});

test('a reader without deltas sees the withdrawn text by its message', () => {
  expect(fact(says('assistant', ['I am'], { partial: true }))).toEqual(['withdrawn: I am', 'note: (withdrawn)']);
  expect(fact({ type: 'text.withdrawn', turn: 1, why: 'interrupted' })).toEqual([]);
});

test('calls show their arguments, results their first lines', () => {
  expect(fact({ type: 'tool.call', turn: 1, toolUseId: 't1.1', name: 'find', input: { a: 'x\ny' } })).toEqual([
    'call: find {"a":"x\\ny"}',
  ]);
  expect([...lines.calls.values()]).toEqual(['find']);
  const content = [{ type: 'text' as const, text: '1\n\n2\n3\n4\n5' }];
  expect(fact({ type: 'tool.result', turn: 1, toolUseId: 't1.1', name: 'find', content })).toEqual([
    'result: 1\n2\n3\n… 2 more lines',
  ]);
  const error = { type: 'ToolFailed' as never, message: 'no' };
  expect(fact({ type: 'tool.error', turn: 1, toolUseId: 't1.2', name: 'find', error })).toEqual(['error: find: no']);
  expect(lines.calls.size).toBe(0);
});

test('own messages are on the screen already, those of others are shown with their name', () => {
  fact({ type: 'message.received', into: 1, ahead: 0, id: 'mine', by: 'ann' });
  fact({ type: 'message.received', into: 1, ahead: 0, id: 'other', by: 'bob', steers: 'queue' });
  expect(fact(says('user', ['Hi']))).toEqual([]);
  expect(fact(says('user', ['Hurry']))).toEqual(['other: bob: Hurry']);
});

test('the note to the model about an undo is not a message of a person', () => {
  fact({ type: 'message.received', into: 1, ahead: 0, id: 'x', by: 'bob' });
  expect(fact({ type: 'undo.done', toolUseId: 't1.1', name: 'move', text: 'moved back' })).toEqual([
    'note: ↶ t1.1 move is undone: moved back',
  ]);
  expect(fact(says('user', ['The person undid t1.1']))).toEqual([]);
  expect(fact(says('user', ['Hi']))).toEqual(['other: bob: Hi']);
});

test('an exchange ends with its cost', () => {
  fact({ type: 'exchange.start' }, 1000);
  expect(lines.busy).toEqual({ exchange: 1, since: 1000 });
  fact(usage(1000, 20));
  fact(usage(1200, 30));
  fact(says('assistant', ['Done.']));
  expect(fact({ type: 'exchange.end', reason: 'completed', turn: 2, data: 'Done.' }, 3400)).toEqual([
    'usage: 2,200 + 50 tokens · 2 model calls · 2.4 s',
  ]);
  expect(lines.busy).toBeUndefined();
  fact({ type: 'exchange.start' }, 5000);
  fact(usage(10, 20, {}, { amount: 0.00123, currency: 'EUR' }));
  expect(fact({ type: 'exchange.end', reason: 'interrupted', turn: 3, by: 'ann' }, 5100)).toEqual([
    'note: Stopped by ann.',
    'usage: 10 + 20 tokens · 0.00123 EUR · 0.1 s',
  ]);
  fact({ type: 'exchange.start' }, 6000);
  fact(usage(10, 20, { estimated: true }));
  fact(usage(1, 2));
  expect(fact({ type: 'exchange.end', reason: 'completed', turn: 4, data: 'Done.' }, 6100)).toEqual([
    'text: Done.',
    'usage: about 11 + 22 tokens · 2 model calls · 0.1 s',
  ]);
});

test('less than a tenth of the window causes a warning', () => {
  const window = { turn: 1, used: 1, system: 0, tools: 0, messages: 9, dropped: 0, counted: 'usage' as const };
  fact({ type: 'exchange.start' });
  fact({ type: 'budget.context', ...window, total: 1000, remaining: 99 });
  expect(fact({ type: 'exchange.end', reason: 'conversing', turn: 1, data: 'And you?' })).toEqual([
    'text: And you?',
    expect.stringMatching(/^warning: 99 of the model's 1,000 tokens are left/),
  ]);
  fact({ type: 'exchange.start' });
  fact({ type: 'budget.context', ...window, total: 1000, remaining: 100 });
  expect(fact({ type: 'exchange.end', reason: 'completed', turn: 1 })).toEqual([]);
});

test('typed data that the model gave as its text is not shown twice', () => {
  fact(says('assistant', ['{ "sum": 3 }']));
  expect(fact({ type: 'exchange.end', reason: 'completed', turn: 1, data: { sum: 3 } })).toEqual([]);
  fact({ type: 'exchange.start' });
  expect(fact({ type: 'exchange.end', reason: 'completed', turn: 1, data: { sum: 4 } })).toEqual([
    'text: {\n  "sum": 4\n}',
  ]);
});

test('no line controls the terminal', () => {
  expect(fact(says('assistant', ['a\x1b[2J\tb']))).toEqual(['text: a‹U+001B›[2J  b']);
  delta({ type: 'stream.text', text: '\x1b]0;x\x07' });
  expect(lines.stream.live?.text).toBe('‹U+001B›]0;x‹U+0007›');
});

describe('a model that gives no answer for as long as the run waits', () => {
  const error = { type: 'ModelUnavailable', message: 'No answer.' };
  const waiting: FactBody = { type: 'model.waiting', turn: 1, model: 'm', attempt: 1, nextAt: 60_000, error };
  const failed: FactBody = { type: 'exchange.end', reason: 'failed', turn: 1, error };
  const GAVE_UP = /^note: The run has waited 2 min for the model and gives up\. .* \/regenerate .* \/model <alias>/;

  it('says so once, and again when the reason changes', () => {
    expect(fact(waiting, 1000)).toHaveLength(1);
    expect(fact({ ...waiting, attempt: 2, nextAt: 180_000 }, 61_000)).toEqual([]);
    expect(lines.outage?.nextAt).toBe(180_000);
    const other = { type: 'ModelRefused', message: 'The key has expired.' };
    expect(fact({ ...waiting, attempt: 3, error: other }, 181_000)[0]).toContain('The key has expired.');
  });

  it('ends the exchange with how long the run has waited, and what to type', () => {
    fact(waiting, 1000);
    fact({ ...waiting, attempt: 2 }, 61_000);
    expect(fact(failed, 121_000)).toEqual(['error: No answer.', expect.stringMatching(GAVE_UP)]);
    // Another failure has no such end.
    expect(fact(failed, 200_000)).toEqual(['error: No answer.']);
  });

  it('has nothing to do with a failure after it has answered', () => {
    fact(waiting, 1000);
    fact(says('assistant', ['Here.']), 2000);
    expect(fact(failed, 3000).filter((line) => line.includes('gives up'))).toEqual([]);
  });
});
