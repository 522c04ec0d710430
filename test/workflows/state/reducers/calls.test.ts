import type { CallProblem } from '../../../../agent/model/answer';
import type { Message } from '../../../../agent/model/message';
import type { ToolOutcome } from '../../../../agent/protocol/calls/tool-call';
import { step } from '../../../../workflows/state/reduce';
import { acting, batchCall, modelAnswer, runState, toolSpec } from '../../state-data';

const said = (text: string) => [{ type: 'text' as const, text }];
const tools = [
  toolSpec('files.read', { effect: 'read', serial: 'tool' }),
  toolSpec('pay', { priority: 0 }),
  toolSpec('stop', { priority: 5 }),
];
const invalid: CallProblem = { type: 'InvalidArguments', message: 'id' };

describe('the calls of an answer', () => {
  const answer = modelAnswer({
    text: 'Let me look.',
    requests: [
      { name: 'files_read', input: { path: 'a' }, hash: 'h1', providerId: 'p1', approval: { needed: true, key: 'k' } },
      { name: 'pay', input: {}, rawInput: '{to', hash: 'h2', problem: invalid },
    ],
    providerData: { sign: 'x' },
  });
  const { state, facts } = step(runState(tools, { turn: 1 }), acting(answer, tools));
  const ids = [
    { toolUseId: 't1.1', name: 'files.read', input: { path: 'a' } },
    { toolUseId: 't1.2', name: 'pay', input: {} },
  ] as const;

  it('are in one message with the text beside them, under the names of the agent', () => {
    const message: Message = {
      role: 'assistant',
      parts: [
        { type: 'text', text: 'Let me look.' },
        { type: 'tool_use', ...ids[0], providerId: 'p1' },
        { type: 'tool_use', ...ids[1], rawInput: '{to' },
      ],
      turn: 1,
      providerData: { sign: 'x' },
    };
    expect(state.messages.slice(1)).toStrictEqual([message]);
    expect(facts[0]).toStrictEqual({ type: 'message', turn: 1, index: 1, message });
  });

  it('make the batch: open, or rejected with their problem', () => {
    expect(state.batch).toStrictEqual([
      { ...ids[0], hash: 'h1', ruled: { needed: true, key: 'k' }, lane: 'files.read', status: 'open' },
      { ...ids[1], hash: 'h2', status: 'rejected', problem: invalid },
    ]);
  });

  it('are told, first all of them, then the problems of some', () => {
    expect(facts.slice(1)).toStrictEqual([
      { type: 'tool.call', turn: 1, ...ids[0] },
      { type: 'tool.call', turn: 1, ...ids[1] },
      { type: 'tool.error', turn: 1, toolUseId: 't1.2', name: 'pay', error: invalid },
    ]);
  });

  it('of lower priority than others are dropped: they become facts, and leave no message', () => {
    const mixed = modelAnswer({
      requests: [
        { name: 'pay', input: { to: 'ann' } },
        { name: 'stop', input: {} },
      ],
    });
    const next = step(runState(tools, { turn: 1 }), acting(mixed, tools));
    expect(next.state.batch.map(({ toolUseId }) => toolUseId)).toEqual(['t1.2']);
    expect(next.state.messages.at(-1)?.parts).toHaveLength(1);
    expect(next.facts.slice(1)).toStrictEqual([
      { type: 'tool.call', turn: 1, toolUseId: 't1.2', name: 'stop', input: {} },
      { type: 'tool.dropped', turn: 1, name: 'pay', input: { to: 'ann' }, priority: 0 },
    ]);
  });
});

describe('a call that settles', () => {
  const others = [batchCall({ toolUseId: 't1.1' }), batchCall({ toolUseId: 't1.3' })] as const;
  const call = batchCall({ toolUseId: 't1.2', name: 'files.read' });
  const before = runState(tools, { turn: 1, batch: [others[0], call, others[1]] });
  const about = { turn: 1, toolUseId: 't1.2', name: 'files.read' };

  const settle = (outcome: ToolOutcome, more: object = {}) =>
    step(before, { type: 'settled', toolUseId: 't1.2', outcome, ...more });

  it('keeps its result, and is told with the time at which it ran', () => {
    const ran = { start: 5, end: 7 };
    expect(settle({ content: said('ok') }, { ran })).toStrictEqual({
      state: {
        ...before,
        batch: [others[0], { ...call, status: 'settled', outcome: { content: said('ok') } }, others[1]],
      },
      facts: [{ type: 'tool.result', ...about, ran, content: said('ok') }],
    });
  });

  it('is told with the part of its result that the model sees, and that there is more', () => {
    const { state, facts } = settle({ content: said('beg'), full: said('beginning') });
    expect(facts).toStrictEqual([{ type: 'tool.result', ...about, content: said('beg'), full: true }]);
    expect(state.batch[1]).toStrictEqual({ ...call, status: 'settled', outcome: { content: said('beg') } });
  });

  it('is told with the last progress, which is no part of the state', () => {
    const progress = { progress: 3, total: 3, message: 'sorted' };
    const { state, facts } = settle({ content: said('ok'), progress });
    expect(facts).toStrictEqual([{ type: 'tool.result', ...about, content: said('ok'), progress }]);
    expect(state.batch[1]).toStrictEqual({ ...call, status: 'settled', outcome: { content: said('ok') } });
  });

  it('with an error becomes a fact of that error', () => {
    const error = { type: 'ToolFailed' as const, message: 'no' };
    const { state, facts } = settle({ content: said('no'), error });
    expect(facts).toStrictEqual([{ type: 'tool.error', ...about, error }]);
    expect(state).toStrictEqual({
      ...before,
      batch: [others[0], { ...call, status: 'settled', outcome: { content: said('no'), error } }, others[1]],
    });
  });

  it('is remembered when its outcome is unknown, so that it is not made again', () => {
    const known = { toolUseId: 't0.1', name: 'pay', hash: 'h0' };
    const error = { type: 'OutcomeUnknown' as const, message: 'unknown' };
    const outcome = { content: [], error };
    const next = step({ ...before, unknownOutcomes: [known] }, { type: 'settled', toolUseId: 't1.2', outcome });
    expect(next.state.unknownOutcomes).toStrictEqual([known, { toolUseId: 't1.2', name: 'files.read', hash: 'h' }]);
  });
});

test('a result for an unknown call is told, with as much of its id as a fact may hold', () => {
  const strange = (toolUseId: string) => step(runState([], { turn: 3 }), { type: 'strangeResult', toolUseId });
  expect(strange('t9.9')).toStrictEqual({
    state: runState([], { turn: 3 }),
    facts: [{ type: 'result.dropped', turn: 3, toolUseId: 't9.9' }],
  });
  expect(strange('x'.repeat(101)).facts).toEqual([{ type: 'result.dropped', turn: 3, toolUseId: 'x'.repeat(100) }]);
});

test('a batch that has settled leaves its results as messages, in the order of its calls', () => {
  const batch = [
    batchCall({ toolUseId: 't2.1', name: 'pay', outcome: { content: said('paid') } }),
    batchCall({ toolUseId: 't2.2', name: 'pay', problem: invalid }),
    batchCall({
      ...{ toolUseId: 't2.3', name: 'pay' },
      outcome: { content: said('broke'), error: { type: 'ToolFailed', message: 'it broke' } },
    }),
    // It has not settled: its result is empty.
    batchCall({ toolUseId: 't2.4', name: 'pay' }),
  ];
  const before = runState(tools, { turn: 2, batch, lifecycle: 'init' });
  const result = (n: number, text: string, more: object = {}): Message => ({
    role: 'user',
    parts: [{ type: 'tool_result', toolUseId: `t2.${n}`, name: 'pay', content: said(text), ...more }],
    turn: 2,
  });
  const isError = { isError: true };
  const messages = [result(1, 'paid'), result(2, 'id', isError), result(3, 'broke', isError), result(4, '')];
  expect(step(before, { type: 'batchSettled' })).toStrictEqual({
    state: { ...before, batch: [], lifecycle: 'tool_result', messages: [...before.messages, ...messages] },
    facts: messages.map((message, i) => ({ type: 'message', turn: 2, index: 1 + i, message })),
  });
});
