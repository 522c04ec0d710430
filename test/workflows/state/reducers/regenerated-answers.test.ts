import type { Message } from '../../../../agent/model/message';
import { step } from '../../../../workflows/state/reduce';
import { runState, toolSpec } from '../../state-data';
import { queued, said, talk, user } from './talk';

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
