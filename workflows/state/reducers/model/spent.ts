import { plusSpending, type Spending, spendingIn } from '../../../../agent/model/cost/spending';
import { isNoUsage } from '../../../../agent/model/cost/usage';
import type { SpendingOfModel } from '../../../../agent/protocol/calls/model-call';
import { decidesSince, SINCE } from '../../../../agent/protocol/decisions';
import type { AgentState } from '../../../../agent/state/state';
import type { Purpose } from '../../../../agent/strategy/call-purpose';
import { modelInUse } from '../../selectors/model-in-use';
import type { Step } from '../append';

/** Which model was called, and why. */
interface About {
  /** The alias that was asked. Default: the model in use. */
  model?: string;
  /** What the call was for. Missing: it was a turn of the single loop. */
  for?: 'summary' | Purpose;
}

/** Counts what a model call cost; that of a call of which nothing arrived is not known. */
export function spent(
  state: AgentState,
  spending: SpendingOfModel | undefined,
  { model = modelInUse(state), ...more }: About = {},
): Step {
  if (spending === undefined) return { state, facts: [] };
  if (isNothing(spending) && decidesSince(state, SINCE.tellsNoUsage)) return { state, facts: [] };
  // A failed call is shown under the same name as one that was answered.
  const name = spending.model ?? model;
  return {
    state: { ...plusSpending(state, spending), ...countedCall(state, spending, more) },
    facts: [{ type: 'usage', turn: state.turn, model: name, ...spendingIn(spending), ...more }],
  };
}

function isNothing({ usage, executionUnits, cost }: Spending): boolean {
  return isNoUsage(usage) && executionUnits === 0 && (cost?.amount ?? 0) === 0;
}

/** A call that used nothing, such as one that was refused, does not count. */
function countedCall(
  { calls, budgets }: AgentState,
  { usage }: Spending,
  about: Pick<About, 'for'>,
): Pick<AgentState, 'calls' | 'budgets'> {
  if (isNoUsage(usage)) return { calls };
  const counted = { calls: { ...calls, model: calls.model + 1 } };
  // A conclusion is as large as the last call of the loop, not as one for another purpose.
  if (budgets === undefined || about.for !== undefined) return counted;
  return { ...counted, budgets: { ...budgets, last: { prompt: usage.prompt, completion: usage.completion } } };
}
