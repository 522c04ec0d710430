import { type BudgetKind, type BudgetLimits, kindsOf, limitOf } from '../../agent/budget/amounts';
import { limitsOf } from '../../agent/budget/budget';
import { HoldfastError } from '../../agent/errors/error';
import type { AgentState } from '../../agent/state/state';
import type { Run } from '../run/run';
import { checkNotEnded } from './checks/check-phase';
import type { Raise } from './checks/check-raise';

/**
 * Raises limits of a run, or of its exchanges. It takes the new limits, so that it may be repeated. Returns all that are
 * in force.
 */
export function raiseBudget(run: Run, { scope, limits: raised, ...sender }: Raise): BudgetLimits {
  const { state } = run;
  checkNotEnded(state);
  const before = state.budgets?.[scope] ?? {};
  const more = limitsOf(raised);
  const problem = refusal(state, before, more);
  if (problem !== undefined) throw new HoldfastError('BudgetNotRaised', { id: state.id, problem });
  const limits = { ...before, ...more };
  run.apply({ type: 'raised', scope, limits, ...sender });
  return limits;
}

/** Why limits are not changed; `undefined` where they are. */
function refusal({ delegatedBy, budgets }: AgentState, before: BudgetLimits, more: BudgetLimits): string | undefined {
  if (delegatedBy !== undefined && budgets !== undefined)
    return `its budget is a part of that of the run \`${delegatedBy.id}\`; raise that one`;
  for (const kind of kindsOf(more)) {
    const [limit, given] = [limitOf(before, kind), limitOf(more, kind)];
    if (limit === undefined) return `it has no limit for \`${kind}\`${limited(before)}`;
    if (given !== undefined && given < limit) return `\`${kind}\` is limited to ${limit}, and ${given} is less`;
  }
  const [a, b] = [before.cost?.currency, more.cost?.currency];
  return b === undefined || a === b ? undefined : `its limit is in ${a}, not in ${b}`;
}

function limited(limits: BudgetLimits): string {
  const kinds: BudgetKind[] = kindsOf(limits);
  return kinds.length === 0 ? '' : `, only for ${kinds.map((kind) => `\`${kind}\``).join(', ')}`;
}
