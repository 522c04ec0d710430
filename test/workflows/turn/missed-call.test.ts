import type { Manifest } from '../../../agent/protocol/manifest';
import type { AgentState } from '../../../agent/state/state';
import { newState } from '../../../workflows/state/first-state';
import { missedCall } from '../../../workflows/turn/missed-call';
import { modelAnswer } from '../state-data';

const fault = { type: 'ParseError' as const, message: 'It has no end.' };
const answer = modelAnswer({ text: 'hi' });
const state = (manifest: Partial<Manifest>, more: Partial<AgentState> = {}): AgentState => ({
  ...newState({ id: 'r', agent: 'a.b', chainId: 'c' }),
  manifest: { tools: [], ...manifest } as unknown as Manifest,
  ...more,
});
const called: AgentState['messages'] = [
  { role: 'user', parts: [{ type: 'text', text: 'go' }], turn: 0 },
  { role: 'assistant', parts: [{ type: 'tool_use', toolUseId: 't1.1', name: 'look', input: {} }], turn: 1 },
];

test.each<[string, AgentState, 'message' | 'call' | undefined]>([
  ['a plain answer', state({}), undefined],
  ['a plain answer in text', state({ toolCalls: 'text' }), undefined],
  ['a native agent with task_completion', state({ completes: true }), 'message'],
  ['an agent with task_completion in text', state({ toolCalls: 'text', completes: true }), 'call'],
  ['a native agent that must call first', state({ forcesCall: true }), undefined],
  ['an agent that must call first, in text', state({ toolCalls: 'text', forcesCall: true }), 'call'],
  ['one that has called', state({ toolCalls: 'text', forcesCall: true }, { messages: called, opened: 0 }), undefined],
  ['a conclusion', state({ toolCalls: 'text', completes: true }, { concluding: 'interactions' }), undefined],
])('%s: whether the model is reminded, and where', (_, of, where) => {
  expect(missedCall(of, answer)?.in).toBe(where);
});

test('a broken call is told in the next call, whatever the agent requires', () => {
  const missed = missedCall(state({ toolCalls: 'text' }), { ...answer, callFault: fault });
  expect(missed).toEqual({ in: 'call', fault, reminder: expect.stringContaining('It has no end.') });
  expect(
    missedCall(state({ toolCalls: 'text' }, { concluding: 'budget' }), { ...answer, callFault: fault }),
  ).toBeUndefined();
});

test.each([
  [true, 'call'],
  [false, undefined],
])('in text the worker knows whether the model in use had to call: %s', (mustCall, where) => {
  expect(missedCall(state({ toolCalls: 'text', forcesCall: true }), { ...answer, mustCall })?.in).toBe(where);
});
