import type { ModelAnswer } from '../../agent/model/answer';
import type { Message } from '../../agent/model/message';
import type { FactBody } from '../../agent/protocol/fact';
import type { ToolOutcome } from '../../agent/protocol/tool-call';
import type { AgentState } from '../../agent/state/state';
import { defined } from '../../agent/values/defined';
import { planAnswer } from '../turn/plan-calls';
import { answerMessage, append, type Reducers, type Step } from './append';
import { withEffect } from './effects';
import { withResults } from './output-attempts';
import { resultsInOrder } from './results-in-order';
import { inLanes } from './serial-lanes';
import { hashOf } from './waits';

/** What happens to the calls of one answer. */
export type CallInput =
  | { type: 'acting'; answer: ModelAnswer }
  | { type: 'settled'; toolUseId: string; outcome: ToolOutcome }
  | { type: 'batchSettled' };

/** The run after something happened to the calls of an answer. */
export const callReducers: Reducers<CallInput> = {
  acting: (state, { answer }) => acting(state, answer),
  settled: (state, { toolUseId, outcome }) => settled(state, toolUseId, outcome),
  batchSettled: (state) =>
    append({ ...withResults(state), batch: [], lifecycle: 'tool_result' }, resultsInOrder(state)),
};

function acting(state: AgentState, answer: ModelAnswer): Step {
  const decision = planAnswer(state, answer);
  if (decision.type !== 'act') throw new Error('an answer without calls has nothing to act on');
  const { turn } = state;
  // Names are the model's: `constructor` or `__proto__` must not find what every object has.
  const counts = new Map(Object.entries(state.toolTypeCounts));
  const facts: FactBody[] = [];
  for (const { toolUseId, name, input } of decision.calls) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
    facts.push({ type: 'tool.call', turn, toolUseId, name, input });
  }
  for (const call of decision.dropped) facts.push({ type: 'tool.dropped', turn, ...call });
  for (const { toolUseId, name, problem } of decision.calls) {
    if (problem !== undefined) facts.push({ type: 'tool.error', turn, toolUseId, name, error: problem });
  }
  const uses = decision.calls.map(({ toolUseId, name, input, providerId }) => ({
    type: 'tool_use' as const,
    toolUseId,
    name,
    input,
    ...defined({ providerId }),
  }));
  const message: Message = { ...answerMessage(state, answer), parts: [...answer.parts, ...uses] };
  const batch = inLanes(
    state.manifest,
    decision.calls.map(({ providerId: _, ...call }) => call),
  );
  const next = append({ ...state, batch, toolTypeCounts: Object.fromEntries(counts) }, [message]);
  return { state: next.state, facts: [...next.facts, ...facts] };
}

function settled(state: AgentState, toolUseId: string, outcome: ToolOutcome): Step {
  const call = state.batch.find((waiting) => waiting.toolUseId === toolUseId);
  if (call === undefined || call.outcome !== undefined || call.problem !== undefined) return { state, facts: [] };
  const { name } = call;
  // The whole result stays in history, in the event that bore it: carrying it on would double it.
  const { full, ...kept } = outcome;
  const batch = state.batch.map((other) => (other === call ? { ...call, outcome: kept } : other));
  const unknownOutcomes =
    outcome.error?.type === 'OutcomeUnknown'
      ? [...state.unknownOutcomes, { toolUseId, name, hash: hashOf(call) }]
      : state.unknownOutcomes;
  const { turn } = state;
  const fact: FactBody =
    outcome.error === undefined
      ? { type: 'tool.result', turn, toolUseId, name, content: outcome.content, ...(full ? { full: true } : {}) }
      : { type: 'tool.error', turn, toolUseId, name, error: outcome.error };
  const undoable = withEffect(state, call, outcome);
  return { state: { ...state, batch, unknownOutcomes, undoable }, facts: [fact] };
}
