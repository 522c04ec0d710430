import type { Fact, FactBody } from '../../../../agent/protocol/facts/fact';
import type { DeltaBody, StreamDelta } from '../../../../agent/protocol/stream';
import { toolNames } from '../../../../client/protocols/ai-sdk/calls/tool-names';
import type { UiChunk } from '../../../../client/protocols/ai-sdk/chunks';
import { MessageFold } from '../../../../client/protocols/ai-sdk/fold';
import { MessageList } from '../../../../client/protocols/ai-sdk/messages';
import { Translation } from '../../../../client/protocols/ai-sdk/translate';

const OF = { runId: 'r', agent: 'support.desk', names: toolNames(null) };
const USAGE = { usage: { prompt: 1, completion: 1 }, executionUnits: 2 };

/** Feeds facts and deltas to a translation, and folds its chunks into the message that a client has. */
function stage() {
  const translation = new Translation({ ...OF, exchange: 1 });
  const fold = new MessageFold('x1');
  const all: UiChunk[] = [];
  let seq = 0;
  const take = (chunks: UiChunk[]) => {
    for (const chunk of chunks) fold.add(chunk);
    all.push(...chunks);
    return chunks;
  };
  return {
    translation,
    all,
    message: fold.message,
    fact: (body: FactBody) => take(translation.fact({ ...body, seq: ++seq, time: 1000 + seq, exchange: 1 } as Fact)),
    delta: (body: DeltaBody, { turn = 1, at = 0, attempt = 1 } = {}) =>
      take(translation.delta({ ...body, id: 'r', turn, callId: `call-${turn}`, attempt, seq: at } as StreamDelta)),
  };
}

const iteration = (turn: number): FactBody => ({ type: 'loop.iteration', turn, lifecycle: 'message' });
const says = (turn: number, text: string): FactBody => ({
  type: 'message',
  turn,
  index: turn,
  message: { role: 'assistant', parts: [{ type: 'text', text }], turn },
});
const ends = (data: string): FactBody => ({ type: 'exchange.end', turn: 1, reason: 'completed', data });

test('deltas, and then the message that has the whole text', () => {
  const { fact, delta, message } = stage();
  fact(iteration(1));
  delta({ type: 'stream.text', text: 'Hel' }, { at: 0 });
  delta({ type: 'stream.text', text: 'lo' }, { at: 1 });
  fact(says(1, 'Hello there'));
  fact(ends('Hello there'));
  expect(message.parts).toEqual([{ type: 'step-start' }, { type: 'text', text: 'Hello there', state: 'done' }]);
  expect(message.metadata).toMatchObject({ reason: 'completed', waiting: { approvals: 0 } });
});

test.each([true, false])(
  'an answer that is sent back to the model is withdrawn (its text came as deltas: %s)',
  (isStreamed) => {
    const { fact, delta, message } = stage();
    fact(iteration(1));
    if (isStreamed) delta({ type: 'stream.text', text: '4 remaining' });
    fact({ type: 'answer.nudged', turn: 1, number: 1, why: 'incomplete', sign: 'remaining' });
    fact(says(1, '4 remaining'));
    fact(iteration(2));
    fact(says(2, 'All done'));
    fact(ends('All done'));
    expect(message.parts).toEqual([
      { type: 'step-start' },
      { type: 'text', text: '4 remaining', state: 'done' },
      { type: 'data-withdrawn', id: 't1.1', data: { id: 't1.1', text: '4 remaining' } },
      { type: 'step-start' },
      { type: 'text', text: 'All done', state: 'done' },
    ]);
  },
);

test('deltas of a turn wait for what the turn before it has brought', () => {
  const { fact, delta, all, translation } = stage();
  fact(iteration(1));
  expect(delta({ type: 'stream.text', text: 'Second' }, { turn: 2 })).toEqual([]);
  expect(translation.isBehind).toBe(true);
  fact(says(1, 'First'));
  fact(iteration(2));
  expect(all.flatMap((chunk) => (chunk.type === 'text-delta' ? [chunk.delta] : []))).toEqual(['First', 'Second']);
  expect(translation.isBehind).toBe(false);
});

test('what a person said stands before the answer to it, and what the run tells the model is not what a person said', () => {
  const { fact, delta, message } = stage();
  const user = (turn: number, text: string): FactBody => ({
    type: 'message',
    turn,
    index: turn,
    message: { role: 'user', parts: [{ type: 'text', text }], turn },
  });
  const received: FactBody = { type: 'message.received', into: 1, ahead: 0, steers: 'queue' };
  fact(iteration(1));
  fact(received);
  fact(received);
  fact(says(1, 'First'));
  delta({ type: 'stream.text', text: 'Sec' }, { turn: 2 });
  fact(iteration(2));
  fact(user(1, 'In French'));
  delta({ type: 'stream.text', text: 'ond' }, { turn: 2, at: 1 });
  fact(user(1, 'and short'));
  fact(says(2, 'Second'));
  fact(user(2, 'The output is invalid.'));
  fact(iteration(3));
  fact(user(2, 'Conclude now.'));
  fact(says(3, 'Third'));
  fact(ends('Third'));
  const said = message.parts.flatMap(({ text, data }) => text ?? (data as { text?: string } | undefined)?.text ?? []);
  expect(said).toEqual(['First', 'In French', 'and short', 'Second', 'Third']);
});

test('a call grows, is known, waits for a person, and has its result', () => {
  const { fact, delta, message, translation } = stage();
  const input = { amount: 5 };
  fact(iteration(1));
  delta({ type: 'stream.tool', index: 0, name: 'refund', arguments: '{"amou' });
  expect(message.parts.at(-1)).toMatchObject({ type: 'tool-refund', toolCallId: 't1.1', state: 'input-streaming' });
  fact({ type: 'tool.call', turn: 1, toolUseId: 't1.1', name: 'refund', input });
  expect(translation.calls.onlyPeople()).toBeUndefined();
  fact({ type: 'approval.requested', turn: 1, toolUseId: 't1.1', name: 'refund', input, hash: 'abc' });
  expect(translation.calls.onlyPeople()).toEqual(new Map([['t1.1', 'approvals']]));
  fact({
    type: 'approval.decided',
    turn: 1,
    toolUseId: 't1.1',
    name: 'refund',
    decision: 'edit',
    by: 'ann',
    input: { amount: 4 },
  });
  fact({
    type: 'tool.result',
    turn: 1,
    toolUseId: 't1.1',
    name: 'refund',
    content: [{ type: 'text', text: '{"ok":true}' }],
  });
  expect(message.parts.find(({ toolCallId }) => toolCallId === 't1.1')).toMatchObject({
    state: 'output-available',
    input: { amount: 4 },
    output: { ok: true },
  });
  expect(message.parts.at(-1)).toMatchObject({
    type: 'data-approval',
    data: { status: 'edit', by: 'ann', hash: 'abc', name: 'refund' },
  });
});

test('a denied call, and one that the run has dropped', () => {
  const { fact, delta, message } = stage();
  fact(iteration(1));
  delta({ type: 'stream.tool', index: 0, name: 'refund', arguments: '{}' }, { at: 0 });
  delta({ type: 'stream.tool', index: 1, name: 'look', arguments: '{}' }, { at: 1 });
  fact({
    type: 'message',
    turn: 1,
    index: 1,
    message: {
      role: 'assistant',
      turn: 1,
      parts: [{ type: 'tool_use', toolUseId: 't1.1', name: 'refund', input: {} }],
    },
  });
  fact({ type: 'tool.error', turn: 1, toolUseId: 't1.1', name: 'refund', error: { type: 'Denied', message: 'No.' } });
  const states = message.parts.flatMap(({ toolCallId, state }) => (toolCallId ? [[toolCallId, state]] : []));
  expect(states).toEqual([
    ['t1.1', 'output-denied'],
    ['t1.2', 'output-error'],
  ]);
});

test('the calls of a serial lane wait behind one that waits for a person', () => {
  const names = toolNames({
    execution: 'serial',
    tools: ['refund', 'look'].map((name) => ({ name, modelName: name, kind: 'internal' })),
  } as never);
  const translation = new Translation({ ...OF, names, exchange: 1 });
  const call = (n: number, name: string): FactBody => ({
    type: 'tool.call',
    turn: 1,
    toolUseId: `t1.${n}`,
    name,
    input: {},
  });
  const facts: FactBody[] = [
    iteration(1),
    call(1, 'refund'),
    call(2, 'look'),
    { type: 'approval.requested', turn: 1, toolUseId: 't1.1', name: 'refund', input: {}, hash: 'abc' },
  ];
  facts.forEach((body, i) => {
    translation.fact({ ...body, seq: i + 1, time: 1, exchange: 1 } as Fact);
  });
  expect([...(translation.calls.onlyPeople() ?? [])]).toEqual([['t1.1', 'approvals']]);
});

test('a failed exchange says why, after which a client reads nothing', () => {
  const { fact, all, message } = stage();
  fact(iteration(1));
  const error = { type: 'ModelUnauthorized', message: 'The key is wrong.' };
  fact({ type: 'exchange.end', turn: 1, reason: 'failed', error });
  expect(all.at(-1)).toEqual({ type: 'error', errorText: 'The key is wrong.' });
  expect(message.metadata).toMatchObject({ reason: 'failed', error });
});

test('a model that is away, until it answers', () => {
  const { fact, message } = stage();
  fact(iteration(1));
  const error = { type: 'ModelUnavailable', message: 'It answers 503.' };
  fact({ type: 'model.waiting', turn: 1, model: 'main', error, attempt: 1, nextAt: 5000 });
  expect(message.parts.at(-1)).toMatchObject({ type: 'data-status', data: { level: 'warn', nextAt: 5000 } });
  fact(says(1, 'Here.'));
  expect(message.parts.find(({ type }) => type === 'data-status')).toMatchObject({ data: { level: 'info' } });
});

test('a list has the messages of people and of the assistant, without the answer in progress', () => {
  const list = new MessageList({ ...OF, running: 2 });
  const user = (text: string): FactBody => ({
    type: 'message',
    turn: 0,
    index: 0,
    message: { role: 'user', parts: [{ type: 'text', text }], turn: 0 },
  });
  const exchange = (number: number, ...bodies: FactBody[]) => bodies.map((body) => ({ ...body, exchange: number }));
  [
    ...exchange(0, { type: 'loop.start', agent: 'support.desk' }),
    ...exchange(
      1,
      { type: 'exchange.start', id: 'm1' },
      user('Hi'),
      iteration(1),
      { type: 'usage', turn: 1, model: 'm', ...USAGE },
      says(1, 'Hello'),
      ends('Hello'),
    ),
    ...exchange(2, { type: 'exchange.start', id: 'm2' }, user('Again'), iteration(2), says(2, 'half')),
  ].forEach((body, i) => {
    list.add({ ...body, seq: i + 1, time: 1 } as Fact);
  });
  expect(list.end().map(({ id, role }) => [id, role])).toEqual([
    ['m1', 'user'],
    ['x1', 'assistant'],
    ['m2', 'user'],
  ]);
});
