import type { FactBody } from '../agent/fact';
import type { Message } from '../agent/message';
import type { ModelAnswer } from '../agent/model-answer';
import type { AgentState } from '../agent/state';
import type { ToolOutcome } from '../agent/tool-call';
import { appended, batchMessages, type Step, said } from './append';
import { callHash, decide } from './decide';
import { inputOf } from './step-waits';
import { withEffect } from './undoable';

/** What happens to the calls of one answer. */
export type CallInput =
  | { type: 'acting'; answer: ModelAnswer }
  | { type: 'settled'; toolUseId: string; outcome: ToolOutcome }
  | { type: 'batchSettled' };

/** The run after something happened to the calls of an answer. Pure, a part of `step`. */
export function stepCalls(state: AgentState, input: CallInput): Step {
  switch (input.type) {
    case 'acting':
      return acting(state, input.answer);
    case 'settled':
      return settled(state, input.toolUseId, input.outcome);
    case 'batchSettled':
      return appended({ ...state, awaiting: [], lifecycle: 'tool_result' }, batchMessages(state));
  }
}

function acting(state: AgentState, answer: ModelAnswer): Step {
  const decision = decide(state, answer);
  if (decision.type !== 'act') throw new Error('an answer without calls has nothing to act on');
  const { turn } = state;
  const toolTypeCounts = { ...state.toolTypeCounts };
  const facts: FactBody[] = [];
  for (const { toolUseId, name, input } of decision.calls) {
    toolTypeCounts[name] = (toolTypeCounts[name] ?? 0) + 1;
    facts.push({ type: 'tool.call', turn, toolUseId, name, input });
  }
  for (const call of decision.dropped) facts.push({ type: 'tool.dropped', turn, ...call });
  for (const { toolUseId, name, problem } of decision.calls) {
    if (problem !== undefined) facts.push({ type: 'tool.error', turn, toolUseId, name, error: problem });
  }
  const uses = decision.calls.map(({ problem: _, ...call }) => ({ type: 'tool_use' as const, ...call }));
  const message: Message = { ...said(state, answer), parts: [...answer.parts, ...uses] };
  const awaiting = decision.calls.map(({ providerId: _, ...call }) => call);
  const next = appended({ ...state, awaiting, toolTypeCounts }, [message]);
  return { state: next.state, facts: [...next.facts, ...facts] };
}

function settled(state: AgentState, toolUseId: string, outcome: ToolOutcome): Step {
  const call = state.awaiting.find((waiting) => waiting.toolUseId === toolUseId);
  if (call === undefined || call.outcome !== undefined || call.problem !== undefined) return { state, facts: [] };
  const { name } = call;
  // The whole result stays in history, in the event that bore it: carrying it on would double it.
  const { full, ...kept } = outcome;
  const awaiting = state.awaiting.map((other) => (other === call ? { ...call, outcome: kept } : other));
  const unknownOutcomes =
    outcome.error?.type === 'OutcomeUnknown'
      ? [...state.unknownOutcomes, { toolUseId, name, input: callHash(inputOf(call)) }]
      : state.unknownOutcomes;
  const { turn } = state;
  const fact: FactBody =
    outcome.error === undefined
      ? { type: 'tool.result', turn, toolUseId, name, content: outcome.content, ...(full ? { full: true } : {}) }
      : { type: 'tool.error', turn, toolUseId, name, error: outcome.error };
  const undoable = withEffect(state, call, outcome);
  return { state: { ...state, awaiting, unknownOutcomes, undoable }, facts: [fact] };
}
