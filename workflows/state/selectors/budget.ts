import {
  type Amounts,
  type BudgetKind,
  type BudgetLimits,
  kindsOf,
  leftOf,
  limitOf,
  minus,
  NOTHING,
  plus,
} from '../../../agent/budget/amounts';
import type { Free } from '../../../agent/budget/shares';
import { HoldfastError } from '../../../agent/errors/error';
import type { BudgetReached, BudgetScope, BudgetState } from '../../../agent/state/budget-state';
import type { AgentState } from '../../../agent/state/state';
import { defined } from '../../../agent/values/defined';
import { reportOf } from './spent';

/** One limit of a run, and how far it is used. */
export interface Account extends BudgetReached {
  limit: number;
  spent: number;
  reserved: number;
  left: number;
}

/** All limits, with what is spent, reserved and left of each. `now`: milliseconds since 1970. */
export function accountsOf(state: AgentState, now: number): Account[] {
  const { budgets } = state;
  if (budgets === undefined) return [];
  const spent = spentAmounts(state, now);
  const reserved = reservedAmounts(budgets);
  const inExchange = { ...minus(spent, budgets.began.spent), deadline: now - budgets.began.at };
  return [
    ...accounts('run', budgets.run, spent, reserved),
    ...accounts('exchange', budgets.exchange, inExchange, reserved),
  ];
}

/** What the run has used so far, its child agents included. Money in the currency of the budget. */
export function spentAmounts(state: AgentState, now: number): Amounts {
  const { budgets } = state;
  const { usage, calls, cost, otherCosts = [] } = reportOf(state);
  const currency = currencyOf(budgets);
  const money = [cost, ...otherCosts].find((one) => one?.currency === currency);
  return {
    tokens: usage.prompt + usage.completion,
    cost: money?.amount ?? 0,
    toolCalls: calls.tool,
    modelCalls: calls.model,
    time: budgets?.worked ?? 0,
    deadline: now - (budgets?.startedAt ?? now),
  };
}

/** The part of child agents that have ended. */
export function childAmounts({ children, budgets }: AgentState): Amounts {
  if (children === undefined) return NOTHING;
  const { usage, calls, cost, otherCosts = [] } = children;
  const money = [cost, ...otherCosts].find((one) => one?.currency === currencyOf(budgets));
  const shared = { cost: money?.amount ?? 0, toolCalls: calls.tool, modelCalls: calls.model };
  return { ...NOTHING, ...shared, tokens: usage.prompt + usage.completion };
}

function reservedAmounts({ reserved }: BudgetState): Amounts {
  return Object.values(reserved).reduce(plus, NOTHING);
}

export function currencyOf(budgets: Pick<BudgetState, 'run' | 'exchange'> | undefined): string | undefined {
  return (budgets?.run.cost ?? budgets?.exchange.cost)?.currency;
}

/** What is left of each kind, by the limit that leaves least. */
export function freeOf(state: AgentState, now: number): Free {
  const free: Free = {};
  for (const { kind, left } of accountsOf(state, now)) free[kind] = Math.min(free[kind] ?? left, left);
  const currency = currencyOf(state.budgets);
  return currency === undefined ? free : { ...free, currency };
}

/**
 * The limit after which only the concluding call is made: used up or, for model calls, all but that one. A call that
 * would cost too much is refused by the worker that counts its tokens.
 */
export function reachedAccount(state: AgentState, now: number): Account | undefined {
  const reached = state.budgets?.reached;
  return accountsOf(state, now).find(({ scope, kind, left }) =>
    reached === undefined ? left <= (kind === 'modelCalls' ? 1 : 0) : scope === reached.scope && kind === reached.kind,
  );
}

/** The limit that leaves nothing for a concluding call. The time for it is granted. */
export function exhaustedLimit(state: AgentState, now: number): Account | undefined {
  const blocking: readonly BudgetKind[] = ['tokens', 'cost', 'modelCalls'];
  return accountsOf(state, now).find(({ kind, left }) => left <= 0 && blocking.includes(kind));
}

/** The limits of which most is used, and about which the model has not been told. */
export function softLimit(state: AgentState, now: number): Account | undefined {
  const { budgets } = state;
  if (budgets === undefined) return undefined;
  return accountsOf(state, now).find(
    ({ scope, kind, limit, left }) =>
      limit - left >= budgets.soft * limit && !budgets.told.some((one) => one.scope === scope && one.kind === kind),
  );
}

function accounts(scope: BudgetScope, limits: BudgetLimits, spent: Amounts, reserved: Amounts): Account[] {
  return kindsOf(limits).map((kind) => {
    const limit = limitOf(limits, kind) ?? 0;
    return {
      scope,
      kind,
      limit,
      spent: spent[kind],
      reserved: reserved[kind],
      left: leftOf(limit, spent[kind], reserved[kind]),
    };
  });
}

/** The error of a run, or an exchange, whose budget leaves no conclusion, or whose conclusion is not valid. */
export function budgetExhausted(state: AgentState, { scope, kind, limit, spent }: Account): HoldfastError {
  const currency = kind === 'cost' ? currencyOf(state.budgets) : undefined;
  const problem = state.concluding ? state.rejected?.problem : undefined;
  return new HoldfastError('BudgetExhausted', {
    id: state.id,
    scope,
    kind,
    limit,
    spent,
    ...defined({ currency, problem }),
  });
}

/** When the first deadline passes, in milliseconds since 1970. */
export function deadlineOf({ budgets }: AgentState): number | undefined {
  if (budgets === undefined) return undefined;
  const { run, exchange, startedAt, began } = budgets;
  const ends = [
    ...(run.deadline === undefined ? [] : [startedAt + run.deadline]),
    ...(exchange.deadline === undefined ? [] : [began.at + exchange.deadline]),
  ];
  return ends.length === 0 ? undefined : Math.min(...ends);
}
