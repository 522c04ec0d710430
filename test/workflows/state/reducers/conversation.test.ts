import type { QueuedMessage } from '../../../../agent/conversation/messages';
import type { Message } from '../../../../agent/model/message';
import type { AgentState } from '../../../../agent/state/state';
import { step } from '../../../../workflows/state/reduce';
import { runState, toolSpec } from '../../state-data';
import { withManifest } from '../fold';

const said = (text: string) => [{ type: 'text' as const, text }];
const queued = (more: Partial<QueuedMessage> = {}): QueuedMessage => ({
  parts: said('hello'),
  exchange: 2,
  at: 7,
  ...more,
});
const user = (text: string, turn: number): Message => ({ role: 'user', parts: said(text), turn });

/** A conversation between two exchanges, some turns old. */
function talk(more: Partial<AgentState> = {}): AgentState {
  return withManifest({ mode: 'conversation' }, { turn: 3, facts: 40, phase: { at: 'idle' }, ...more });
}

describe('a message that is received', () => {
  it('waits behind the others, and becomes a fact', () => {
    const before = talk({ inbox: [queued()] });
    const message = queued({ exchange: 3 });
    expect(step(before, { type: 'received', message, ahead: 1 })).toStrictEqual({
      state: { ...before, inbox: [queued(), message] },
      facts: [{ type: 'message.received', into: 3, ahead: 1 }],
    });
  });

  it('is remembered by its id, with its place among the facts', () => {
    const before = talk({ taken: { m1: { exchange: 1, ahead: 0, after: 2 } } });
    const message = queued({ id: 'm2', by: 'ann' });
    expect(step(before, { type: 'received', message, ahead: 4 })).toStrictEqual({
      state: {
        ...before,
        inbox: [message],
        taken: { m1: { exchange: 1, ahead: 0, after: 2 }, m2: { exchange: 2, ahead: 4, after: 40 } },
      },
      facts: [{ type: 'message.received', into: 2, ahead: 4, id: 'm2', by: 'ann' }],
    });
  });

  it('is one of 1,000 that are remembered: the one received first is forgotten, whatever their order', () => {
    const receipts = Array.from({ length: 1000 }, (_, i) => [`m${i}`, { exchange: 1, ahead: 0, after: 1000 - i }]);
    const before = talk({ taken: Object.fromEntries(receipts), facts: 1001 });
    const { taken } = step(before, { type: 'received', message: queued({ id: 'new' }), ahead: 0 }).state;
    const ids = Object.keys(taken);
    expect(ids).toHaveLength(1000);
    expect(taken).not.toHaveProperty('m999');
    expect([ids[0], ids.at(-1)]).toEqual(['m998', 'new']);
    const full = talk({ taken: Object.fromEntries(receipts.slice(1)) });
    const kept = step(full, { type: 'received', message: queued({ id: 'new' }), ahead: 0 }).state.taken;
    expect([Object.keys(kept).length, 'm999' in kept]).toEqual([1000, true]);
  });
});

test.each(['queue', 'now'] as const)('a message that steers (%s) joins the exchange, and is remembered', (when) => {
  const before = talk({ phase: { at: 'working' }, steers: [queued()] });
  const message = queued({ id: 's1', by: 'bob' });
  expect(step(before, { type: 'steered', message, when })).toStrictEqual({
    state: { ...before, steers: [queued(), message], taken: { s1: { exchange: 2, ahead: 0, after: 40 } } },
    facts: [{ type: 'message.received', into: 2, ahead: 0, id: 's1', by: 'bob', steers: when }],
  });
});

describe('an exchange that begins', () => {
  const used: Partial<AgentState> = {
    ...{
      turn: 3,
      model: 1,
      concluding: 'interactions',
      lifecycle: 'tool_result',
      rejected: { attempts: 2, problem: 'no' },
    },
    toolInteractions: { current: 9, max: 10 },
  };
  const { rejected: _, ...fresh } = talk({
    ...used,
    ...{ phase: { at: 'working' }, exchange: 2, model: 0, concluding: false, lifecycle: 'message' },
    toolInteractions: { current: 0, max: 10 },
  });

  it('takes the first waiting message, with new quotas and the first model', () => {
    const before = talk({ ...used, inbox: [queued({ id: 'm2', by: 'ann' }), queued({ exchange: 3 })] });
    const message = user('hello', 3);
    expect(step(before, { type: 'exchangeBegun' })).toStrictEqual({
      state: { ...fresh, inbox: [queued({ exchange: 3 })], opened: 1, messages: [...before.messages, message] },
      facts: [
        { type: 'exchange.start', id: 'm2', by: 'ann' },
        { type: 'message', turn: 3, index: 1, message },
      ],
    });
  });

  it('first tells the model what was undone meanwhile', () => {
    const before = talk({ ...used, inbox: [queued()], notes: ['one', 'two'] });
    const messages = [user('one\ntwo', 3), user('hello', 3)];
    const { state, facts } = step(before, { type: 'exchangeBegun' });
    expect(state).toStrictEqual({ ...fresh, opened: 2, messages: [...before.messages, ...messages] });
    expect(facts).toStrictEqual([
      { type: 'exchange.start' },
      ...messages.map((message, i) => ({ type: 'message', turn: 3, index: 1 + i, message })),
    ]);
  });

  it('needs a message', () => {
    expect(() => step(talk(), { type: 'exchangeBegun' })).toThrow('no message waits');
  });
});

describe('an exchange whose answer is regenerated', () => {
  const tools = [
    toolSpec('converse', { kind: 'loop', loop: { does: 'converse' } }),
    toolSpec('complete', { kind: 'loop', loop: { does: 'complete' } }),
    toolSpec('ask_question', { kind: 'loop', loop: { does: 'ask' } }),
    toolSpec('look'),
  ];
  const use = (...names: string[]): Message => ({
    role: 'assistant',
    parts: names.map((name) => ({ type: 'tool_use', toolUseId: `t1.${name}`, name, input: {} })),
    turn: 1,
  });
  const result = (name: string, ...more: Message['parts']): Message => ({
    role: 'user',
    parts: [{ type: 'tool_result', toolUseId: `t1.${name}`, name, content: said('ok') }, ...more],
    turn: 1,
  });
  const answer: Message = { role: 'assistant', parts: said('an answer'), turn: 1 };
  const ask = user('go', 0);
  const again = queued({ parts: [], regenerates: 1, id: 'r1', by: 'ann' });

  it('drops the answer, and keeps the notes about what was undone meanwhile', () => {
    const before = talk({ messages: [ask, answer], opened: 0, inbox: [again], notes: ['one'], epoch: 4 });
    expect(step(before, { type: 'exchangeBegun' })).toStrictEqual({
      state: {
        ...before,
        ...{
          messages: [ask],
          epoch: 5,
          inbox: [],
          notes: ['one'],
          asked: { since: 0 },
          exchange: 2,
          phase: { at: 'working' },
          lifecycle: 'message',
        },
      },
      facts: [
        { type: 'exchange.start', regenerates: 1, id: 'r1', by: 'ann' },
        { type: 'transcript.rewritten', epoch: 5, length: 1 },
      ],
    });
  });

  it('is not read from the earlier histories that still have it', () => {
    const chain = [
      { runId: 'a', facts: 3, messages: 1 },
      { runId: 'b', facts: 6, messages: 2 },
    ];
    const before = talk({ messages: [ask, answer], opened: 0, inbox: [again], chain });
    expect(step(before, { type: 'exchangeBegun' }).state.chain.map(({ messages }) => messages)).toEqual([1, 1]);
  });

  it.each<[string, number, Message[]]>([
    ['an answer after the results of other tools', 3, [ask, use('look'), result('look'), answer]],
    ['an answer in text that follows the call that gave it', 1, [ask, use('complete'), result('complete'), answer]],
    ['an answer that was given by a call', 1, [ask, use('converse'), result('converse')]],
    ['a result that was given by a call', 1, [ask, use('complete'), result('complete')]],
    ['calls that all answer', 1, [ask, use('converse', 'complete'), result('converse'), result('complete')]],
    ['no answer', 1, [ask]],
    ['a message that came too late', 3, [ask, answer, user('wait', 1)]],
    ['a question', 3, [ask, use('ask_question'), result('ask_question')]],
    ['results of tools', 3, [ask, use('look'), result('look')]],
    ['calls of which one had an effect', 4, [ask, use('converse', 'look'), result('look'), result('converse')]],
    ['a call that has no result', 2, [ask, use('look')]],
    ['a call that would answer and has no result', 2, [ask, use('converse')]],
    ['a result that is not alone', 3, [ask, use('converse'), result('converse', ...said('and more'))]],
    ['a result without its call', 2, [ask, result('converse')]],
    ['nothing but a result', 1, [result('converse')]],
  ])('of a transcript that ends with %s leaves %i messages', (_, length, messages) => {
    const state = { ...runState(tools), messages, opened: 0, inbox: [again] };
    const next = step(state, { type: 'exchangeBegun' });
    expect(next.state.messages).toEqual(messages.slice(0, length));
    expect(next.facts.at(-1)).toEqual({ type: 'transcript.rewritten', epoch: 1, length });
  });

  it('drops no message with which the exchange began', () => {
    const messages = [ask, answer];
    const begin = (opened: number) =>
      step({ ...runState(tools), messages, opened, inbox: [again] }, { type: 'exchangeBegun' }).state.messages;
    expect([begin(0).length, begin(1).length]).toEqual([1, 2]);
  });

  it('has nothing to drop when there is no message', () => {
    const { manifest: _, ...state } = runState([], { messages: [], inbox: [again] });
    expect(step(state, { type: 'exchangeBegun' }).facts.at(-1)).toEqual({
      type: 'transcript.rewritten',
      epoch: 1,
      length: 0,
    });
  });
});

describe('an exchange that ends', () => {
  it('leaves late messages in the transcript, and no outage', () => {
    const before = talk({ phase: { at: 'working' }, steers: [queued(), queued({ parts: said('two') })] });
    const outage = { since: 1, failures: 1, error: { type: 'ModelUnavailable', message: 'gone' } };
    const messages = [user('hello', 3), user('two', 3)];
    expect(
      step(
        { ...before, phase: { at: 'outage', ...outage } },
        { type: 'exchangeEnded', reason: 'interrupted', by: 'ann' },
      ),
    ).toStrictEqual({
      state: { ...before, phase: { at: 'idle' }, steers: [], messages: [...before.messages, ...messages] },
      facts: [
        ...messages.map((message, i) => ({ type: 'message', turn: 3, index: 1 + i, message })),
        { type: 'exchange.end', turn: 3, reason: 'interrupted', by: 'ann' },
      ],
    });
  });

  it('is told with the type, the message and the data of its error, without anything else', () => {
    const before = talk({ phase: { at: 'working' } });
    const error = { type: 'Refused', message: 'no', data: { model: 'big' } };
    const thrown = { ...error, stack: 'at turn' };
    expect(step(before, { type: 'exchangeEnded', reason: 'failed', error: thrown })).toStrictEqual({
      state: { ...before, phase: { at: 'idle' } },
      facts: [{ type: 'exchange.end', turn: 3, reason: 'failed', error }],
    });
  });

  it.each([{ text: 'how are you?' }, null])('keeps its answer: %j', (data) => {
    const before = talk({ phase: { at: 'working' }, exchange: 5 });
    expect(step(before, { type: 'exchangeEnded', reason: 'conversing', data })).toStrictEqual({
      state: { ...before, phase: { at: 'idle' }, answer: { exchange: 5, data } },
      facts: [{ type: 'exchange.end', turn: 3, reason: 'conversing', data }],
    });
  });
});

test.each([{ by: 'ann' }, {}])('what people do to a conversation is told, with their names when known: %j', (by) => {
  const before = talk();
  expect(step(before, { type: 'withdrawn', why: 'steered', ...by })).toStrictEqual({
    state: before,
    facts: [{ type: 'text.withdrawn', turn: 3, why: 'steered', ...by }],
  });
  expect(step(before, { type: 'renamed', title: 'May', ...by })).toStrictEqual({
    state: { ...before, title: 'May' },
    facts: [{ type: 'run.renamed', title: 'May', ...by }],
  });
  expect(step(before, { type: 'closing', why: 'closed', ...by })).toStrictEqual({
    state: { ...before, closing: { why: 'closed', ...by } },
    facts: [{ type: 'conversation.closing', why: 'closed', ...by }],
  });
});
