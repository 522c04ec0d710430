import { KINDS } from '../../../agent/budget/amounts';
import type { BudgetAmounts } from '../../../agent/budget/budget';
import { amountsProblem } from '../../../agent/budget/check-budget';
import type { BudgetScope } from '../../../agent/state/budget-state';
import { fail, fieldsOf, type Sender } from './check-message';

/** New limits for a run, or for its exchanges. */
export interface Raise extends Sender {
  scope: BudgetScope;
  limits: BudgetAmounts;
}

/** @throws HoldfastError `InvalidMessage` */
export function checkRaise(given: unknown): Raise {
  const example = '{"tokens": 200000}';
  const { scope = 'run', by, ...limits } = fieldsOf(given, [...KINDS, 'scope', 'by'], example);
  if (scope !== 'run' && scope !== 'exchange') return fail('Expected `scope` to be `run` or `exchange`');
  if (Object.keys(limits).length === 0) fail(`Expected a limit, such as in \`${example}\``);
  const wrong = amountsProblem(limits, '');
  if (wrong !== undefined) fail(`\`${wrong.field.slice(1)}\`: ${wrong.problem}`);
  // Their form has been checked.
  return { scope, limits: limits as BudgetAmounts, ...(typeof by === 'string' ? { by } : {}) };
}
