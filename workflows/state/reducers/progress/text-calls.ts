import type { ModelAnswer } from '../../../../agent/model/answer';
import { answerMessage } from '../../../../agent/plan/answer-message';
import { countError, isHopeless, type TurnError } from '../../../../agent/plan/repeated-errors';
import type { FactBody } from '../../../../agent/protocol/facts/fact';
import type { AgentState } from '../../../../agent/state/state';
import { defined } from '../../../../agent/values/defined';
import type { MissedCall } from '../../../turn/missed-call';
import { errorOf } from '../../selectors/calls';
import { append, type Step } from '../append';

/** An answer without a call stays as it is; what the model is told goes into its next call only. */
export function remindedOnce(state: AgentState, answer: ModelAnswer, { reminder, fault }: MissedCall): Step {
  const { turn } = state;
  const counted = withTurnError(state, fault);
  const next: AgentState = {
    ...counted.state,
    lifecycle: 'output_error_feedback',
    reminder: { turn: turn + 1, text: reminder },
  };
  const fact: FactBody = { type: 'tool.none', turn, ...defined({ error: fault }) };
  return append(next, [answerMessage(answer, state.turn)], [fact, ...counted.facts]);
}

/** Counts how the batch of a turn ended. Where calls are text, it has one call. */
export function withBatchError(state: AgentState): Step {
  const [call] = state.batch;
  if (state.manifest?.toolCalls !== 'text' || call === undefined) return { state, facts: [] };
  const error = errorOf(call);
  return withTurnError(state, error && { type: error.type, name: call.name, message: error.message });
}

function withTurnError(state: AgentState, error: TurnError | undefined): Step {
  const { repeated: before, ...rest } = state;
  const repeated = countError(before, error);
  const next: AgentState = { ...rest, ...defined({ repeated }) };
  if (!isHopeless(repeated)) return { state: next, facts: [] };
  const { type, name, message, times } = repeated;
  const about = { turn: state.turn, times, ...defined({ name }) };
  return { state: next, facts: [{ type: 'error.repeated', ...about, error: { type, message } }] };
}
