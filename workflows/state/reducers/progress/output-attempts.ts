import { HoldfastError } from '../../../../agent/errors/error';
import { isCompletion } from '../../../../agent/plan/lanes';
import type { BatchCall } from '../../../../agent/state/batch';
import type { AgentState } from '../../../../agent/state/state';
import { errorOf } from '../../selectors/calls';

/** The state after a turn whose output was not valid. */
export function countInvalidOutput(state: AgentState, problem: string): AgentState {
  return { ...state, rejected: { attempts: (state.rejected?.attempts ?? 0) + 1, problem } };
}

/** The state after a batch: an invalid result given by a call counts like an invalid answer. */
export function withResults(state: AgentState): AgentState {
  const completing = new Set(state.manifest?.tools.filter(isCompletion).map(({ name }) => name));
  if (completing.size === 0) return state;
  const problem = state.batch
    .filter(({ name }) => completing.has(name))
    .map(problemOf)
    .find(Boolean);
  return problem === undefined ? state : countInvalidOutput(state, problem);
}

function problemOf(call: BatchCall): string | undefined {
  const error = errorOf(call);
  return error?.type === 'InvalidArguments' || error?.type === 'InvalidJson' ? error.message : undefined;
}

/**
 * Ends the task, or the exchange, where the model has used up its attempts. The concluding call is the last one in any
 * case: for that, `ToolQuotaExhausted` reports what is missing.
 * @throws HoldfastError `OutputInvalid`
 */
export function checkAttempts({ rejected: last, concluding, manifest }: AgentState): void {
  if (last === undefined || concluding || manifest === undefined) return;
  if (last.attempts >= manifest.limits.maxOutputAttempts) throw new HoldfastError('OutputInvalid', last);
}
