import type { ModelAnswer } from '../../../agent/model/answer';
import { answerMessage } from '../../../agent/plan/answer-message';
import { type CallPlan, type PlannedCall, priorityOf, takesBudget } from '../../../agent/plan/plan-calls';
import type { ToolOutcome } from '../../../agent/protocol/calls/tool-call';
import type { FactBody } from '../../../agent/protocol/facts/fact';
import type { BatchCall } from '../../../agent/state/batch';
import type { AgentState } from '../../../agent/state/state';
import { defined } from '../../../agent/values/defined';
import { callOf, hashOf } from '../selectors/calls';
import { append, type Reducers, type Step, userText } from './append';
import { withEffect } from './effects';
import { withPlanResults } from './plan';
import { breakAfterBatch } from './progress/breakers';
import { withResults } from './progress/output-attempts';
import { withBatchError } from './progress/text-calls';
import { resultsInOrder } from './results-in-order';
import { withFound } from './tool-filter';

/** Inputs about the calls of one answer. */
export type CallInput =
  | { type: 'acting'; answer: ModelAnswer; plan: CallPlan }
  /** `ran`: the call ran with the answer, in this time (milliseconds since 1970). */
  | { type: 'settled'; toolUseId: string; outcome: ToolOutcome; ran?: { start: number; end: number } }
  /** The answer came with a result for a call that is not in the batch. */
  | { type: 'strangeResult'; toolUseId: string }
  | { type: 'batchSettled' };

/** Reducers for the calls of an answer. */
export const callReducers: Reducers<CallInput> = {
  acting,
  settled,
  strangeResult: (state, { toolUseId }) => ({
    state,
    facts: [{ type: 'result.dropped', turn: state.turn, toolUseId: toolUseId.slice(0, 100) }],
  }),
  batchSettled,
};

function batchSettled(state: AgentState): Step {
  const counted = withBatchError(withResults(state));
  const planned = withPlanResults(counted.state);
  const { breakers, notes, facts } = breakAfterBatch(state);
  const next: AgentState = { ...planned.state, ...defined({ breakers }), batch: [], lifecycle: 'tool_result' };
  const told = notes.length === 0 ? [] : [userText(notes.join('\n'), state.turn)];
  return append(next, [...resultsInOrder(state), ...told], [...counted.facts, ...planned.facts, ...facts]);
}

function acting(state: AgentState, { answer, plan }: Extract<CallInput, { type: 'acting' }>): Step {
  const { turn } = state;
  // The model chooses the names: `constructor` or `__proto__` must not find inherited properties.
  const counts = new Map(Object.entries(state.toolTypeCounts));
  for (const { name } of plan.calls) counts.set(name, (counts.get(name) ?? 0) + 1);
  const message = answerMessage(answer, turn, plan.calls);
  const batch = plan.calls.map(batchCall);
  const calls = { ...state.calls, tool: state.calls.tool + plan.calls.filter(takesBudget).length };
  const next = append({ ...state, batch, calls, toolTypeCounts: Object.fromEntries(counts) }, [message]);
  return { state: next.state, facts: [...next.facts, ...planFacts(turn, plan)] };
}

function batchCall({ toolUseId, name, request, problem, lane }: PlannedCall): BatchCall {
  const { input, hash, approval: ruled } = request;
  const call = { toolUseId, name, input, hash, ...defined({ ruled, lane }) };
  return problem === undefined ? { ...call, status: 'open' } : { ...call, status: 'rejected', problem };
}

function planFacts(turn: number, { calls, dropped }: CallPlan): FactBody[] {
  return [
    ...calls.map(({ toolUseId, name, request: { input } }): FactBody => {
      return { type: 'tool.call', turn, toolUseId, name, input };
    }),
    ...dropped.map((call): FactBody => {
      const { name, request } = call;
      return { type: 'tool.dropped', turn, name, input: request.input, priority: priorityOf(call) };
    }),
    ...calls.flatMap(({ toolUseId, name, request: { repaired } }): FactBody[] =>
      repaired === undefined ? [] : [{ type: 'tool.repaired', turn, toolUseId, name, ...repaired }],
    ),
    ...calls.flatMap(({ toolUseId, name, problem: error }): FactBody[] =>
      error === undefined ? [] : [{ type: 'tool.error', turn, toolUseId, name, error }],
    ),
  ];
}

function settled(state: AgentState, { toolUseId, outcome, ran }: Extract<CallInput, { type: 'settled' }>): Step {
  const call = callOf(state, toolUseId);
  if (call?.status !== 'open') return { state, facts: [] };
  const { name } = call;
  // The full result stays in history, in the event that brought it: carrying it would store it twice.
  const { full, progress, found, ...kept } = outcome;
  const batch = state.batch.map(
    (other): BatchCall => (other === call ? { ...call, status: 'settled', outcome: kept } : other),
  );
  const unknownOutcomes =
    outcome.error?.type === 'OutcomeUnknown'
      ? [...state.unknownOutcomes, { toolUseId, name, hash: hashOf(call) }]
      : state.unknownOutcomes;
  const about = { turn: state.turn, toolUseId, name, ...defined({ ran }) };
  const fact: FactBody =
    outcome.error === undefined
      ? {
          type: 'tool.result',
          ...about,
          content: outcome.content,
          ...(full ? { full: true } : {}),
          ...defined({ progress }),
        }
      : { type: 'tool.error', ...about, error: outcome.error };
  const effects = withEffect(state, call, outcome);
  return {
    state: { ...state, batch, unknownOutcomes, effects, ...withFound(state, { name, found }) },
    facts: [fact],
  };
}
