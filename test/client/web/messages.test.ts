import type { ChatMessage } from '../../../client/web/conversation/message/chat-message';
import {
  answerText,
  blocksOf,
  planOf,
  spentOf,
  unreadOfOthers,
  unreadSteers,
} from '../../../client/web/conversation/message/message-parts';
import { changesTheChat } from '../../../client/web/conversation/run/changing-facts';
import { shownMessages } from '../../../client/web/conversation/run/shown-messages';

const text = (said: string) => ({ type: 'text' as const, text: said, state: 'done' as const });
const message = (id: string, ...parts: ChatMessage['parts']): ChatMessage => ({ id, role: 'assistant', parts });
const user: ChatMessage = { id: 'u', role: 'user', parts: [text('Hello')] };

it('a text that was withdrawn is not shown, and an equal one after it is', () => {
  const withdrawn = { type: 'data-withdrawn' as const, id: 't1.0', data: { id: 't1.0', text: 'One' } };
  expect(answerText(message('x1', text('One'), withdrawn, text('Two')))).toBe('Two');
  expect(answerText(message('x1', text('One'), withdrawn, text('One')))).toBe('One');
});

it('a call is shown with its approval and its progress', () => {
  const part = { type: 'tool-refund' as const, toolCallId: 't1.1', state: 'input-available' as const, input: {} };
  const data = { toolCallId: 't1.1', name: 'refund', input: {}, hash: 'h', status: 'approve' as const, by: 'ann' };
  const progress = { toolCallId: 't1.1', progress: 3 };
  const blocks = blocksOf(
    message(
      'x1',
      part,
      { type: 'data-approval', id: 't1.1', data },
      { type: 'data-progress', id: 't1.1', data: progress },
    ),
  );
  expect(blocks).toMatchObject([{ kind: 'call', key: 't1.1', approval: { by: 'ann' }, progress: { progress: 3 } }]);
});

it('a call that asks is shown as one that waits while its question is open', () => {
  const part = { type: 'tool-ask' as const, toolCallId: 't1.1', state: 'input-available' as const, input: {} };
  const asked = (toolCallId: string, status: 'open' | 'answered') => {
    const data = { questionId: 'q1', toolCallId, name: 'ask', question: 'Which?', status };
    return blocksOf(message('x1', part, { type: 'data-question', id: 'q1', data }))[0];
  };
  expect(asked('t1.1', 'open')).toMatchObject({ kind: 'call', asks: true });
  expect(asked('t1.1', 'answered')).toMatchObject({ kind: 'call', asks: false });
  expect(asked('t1.2', 'open')).toMatchObject({ kind: 'call', asks: false });
});

describe('while a stream is read again', () => {
  const before = [user, message('x1', text('A long answer'))];

  it('shows what was there until as much has arrived', () => {
    expect(shownMessages([user], before)).toBe(before);
    expect(shownMessages([user, message('x1', text('A lo'))], before)).toBe(before);
    const after = [user, message('x1', text('A long answer and more'))];
    expect(shownMessages(after, before)).toBe(after);
  });

  it('shows another message at once', () => {
    const other = [user, message('x1', text('A long answer')), user];
    expect(shownMessages(other, before)).toBe(other);
    expect(shownMessages([user], undefined)).toEqual([user]);
  });
});

it('a decision made elsewhere changes a conversation, and a new title does not', () => {
  const fact = { seq: 1, time: 0, exchange: 1, turn: 1, toolUseId: 't1.1', name: 'refund' };
  expect(changesTheChat({ ...fact, type: 'approval.decided', decision: 'approve', by: 'ann' })).toBe(true);
  expect(changesTheChat({ ...fact, type: 'run.renamed', title: 'x' })).toBe(false);
});

it('what a person says while it works is shown apart until the model has read it', () => {
  const read = message('x1', { type: 'data-steer', data: { text: 'One\nTwo' } });
  const said = (...texts: string[]) => texts.map((one) => ({ text: one }));
  expect(unreadSteers(said('One', 'Two', 'Three'), read)).toEqual(said('Three'));
  expect(unreadSteers(said('One'), undefined)).toEqual(said('One'));
});

it('what an answer used is the sum over its model calls, and steps of its plan have their newest state', () => {
  const spent = (id: string, amount: number) => ({
    type: 'data-spent' as const,
    id,
    data: { usage: { prompt: 10, completion: 5 }, cost: { amount, currency: 'USD' } },
  });
  const step = { step: 1, description: 'Look' };
  const parts: ChatMessage['parts'] = [
    { type: 'data-plan', id: 'plan', data: { steps: [step, { step: 2, description: 'Buy' }] } },
    { type: 'data-plan-step', id: 'p1', data: { ...step, status: 'done' } },
    spent('s1', 0.1),
    spent('s2', 0.2),
  ];
  expect(spentOf(message('x1', ...parts))).toEqual({ tokens: 30, costs: [{ amount: 0.3, currency: 'USD' }] });
  expect(planOf(message('x1', ...parts))?.map(({ status }) => status)).toEqual(['done', 'planned']);
});

describe('what others have said and the model has not read', () => {
  const steer = { id: 's1', by: 'bob', at: 1, text: 'Mind the tax', steers: true };
  const later = { id: 'm1', by: 'bob', at: 2, text: 'And then?', steers: false };

  it('is shown until its exchange has begun, or the model has read it', () => {
    expect(unreadOfOthers([steer, later], { own: [], messages: [user] })).toEqual([steer, later]);
    const read = message('x1', { type: 'data-steer', id: 'm9', data: { text: 'Mind the tax' } });
    expect(unreadOfOthers([steer, later], { own: [], messages: [user, read] })).toEqual([later]);
    expect(unreadOfOthers([later], { own: [], messages: [{ ...user, id: 'm1' }] })).toEqual([]);
  });

  it('is not what was sent here', () => {
    expect(unreadOfOthers([steer, later], { own: [{ id: 's1' }], messages: [user] })).toEqual([later]);
  });
});
