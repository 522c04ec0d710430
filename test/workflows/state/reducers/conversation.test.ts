import type { AgentState } from '../../../../agent/state/state';
import { step } from '../../../../workflows/state/reduce';
import { queued, said, talk, user } from './talk';

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
