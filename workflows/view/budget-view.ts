import type { BudgetView } from '../../agent/state/budget-view';
import type { AgentState } from '../../agent/state/state';
import { defined } from '../../agent/values/defined';
import { accountsOf, childAmounts, currencyOf } from '../state/selectors/budget';

/**
 * The budget of a run as people see it; `undefined` where it has none.
 * @param now milliseconds since 1970
 */
export function budgetView(state: AgentState, now: number): BudgetView | undefined {
  const { budgets } = state;
  if (budgets === undefined) return undefined;
  const view: BudgetView = { run: {}, exchange: {}, ...defined({ reached: budgets.reached }) };
  const below = childAmounts(state);
  for (const { scope, kind, limit, spent, reserved, left } of accountsOf(state, now)) {
    const children = scope === 'run' && below[kind] > 0 ? below[kind] : undefined;
    const currency = kind === 'cost' ? currencyOf(budgets) : undefined;
    view[scope][kind] = { limit, spent, reserved, left, ...defined({ children, currency }) };
  }
  return view;
}
