import { type Amounts, type BudgetLimits, NOTHING } from '../../../agent/budget/amounts';
import type { RunReport } from '../../../agent/budget/report';
import { budgetRunsOut } from '../../../agent/prompts/budget';
import type { BudgetFact } from '../../../agent/protocol/facts/budget-fact';
import type { BudgetReached, BudgetScope, BudgetState } from '../../../agent/state/budget-state';
import type { AgentState } from '../../../agent/state/state';
import { defined } from '../../../agent/values/defined';
import { type Account, currencyOf, spentAmounts } from '../selectors/budget';
import { withChild } from '../selectors/spent';
import type { Reducers, Step } from './append';

/** Inputs about the budget of a run. Times are milliseconds since 1970. */
export type BudgetInput =
  | { type: 'budgeted'; limits: Pick<BudgetState, 'run' | 'exchange' | 'soft'>; startedAt: number }
  | { type: 'reserved'; key: string; amounts: Partial<Amounts> }
  | { type: 'released'; key: string }
  | { type: 'worked'; ms: number }
  | { type: 'softReached'; account: Account }
  | { type: 'budgetReached'; account: Account }
  | { type: 'raised'; scope: BudgetScope; limits: BudgetLimits; by?: string }
  | { type: 'childLost'; toolUseId: string };

/** Reducers for the budget. */
export const budgetReducers: Reducers<BudgetInput> = {
  budgeted: (state, { limits, startedAt }) => ({
    state: { ...state, budgets: newBudget(limits, startedAt) },
    facts: [],
  }),
  reserved: (state, { key, amounts }) =>
    changed(state, (budgets) => ({ ...budgets, reserved: { ...budgets.reserved, [key]: amounts } })),
  released: (state, { key }) => changed(state, (budgets) => ({ ...budgets, reserved: without(budgets.reserved, key) })),
  worked: (state, { ms }) => changed(state, (budgets) => ({ ...budgets, worked: budgets.worked + ms })),
  softReached,
  budgetReached: (state, { account }) => {
    const { scope, kind } = account;
    const next = changed(state, (budgets) => ({ ...budgets, reached: { scope, kind } }));
    return { state: next.state, facts: [{ type: 'budget.reached', turn: state.turn, ...used(state, account) }] };
  },
  raised,
  childLost,
};

/** Money and tokens that are set aside for a call, and whose worker was lost, as a report that is an estimate. */
export function lostReport(state: AgentState, key: string): RunReport | undefined {
  const amounts = state.budgets?.reserved[key];
  if (amounts === undefined) return undefined;
  const { tokens = 0, cost = 0, modelCalls = 0, toolCalls = 0 } = amounts;
  const currency = currencyOf(state.budgets);
  return {
    usage: { prompt: tokens, completion: 0, estimated: true },
    executionUnits: currency === undefined ? tokens : cost,
    calls: { model: modelCalls, tool: toolCalls },
    ...defined({ cost: currency === undefined ? undefined : { amount: cost, currency } }),
  };
}

/** A limit of an exchange counts from its start. */
export function exchangeBudget(state: AgentState, at: number): Pick<AgentState, 'budgets'> {
  const { budgets } = state;
  if (budgets === undefined) return {};
  const { reached: _, ...rest } = budgets;
  const told = budgets.told.filter(({ scope }) => scope === 'run');
  return { budgets: { ...rest, told, began: { at, spent: spentAmounts(state, at) } } };
}

function newBudget(limits: Pick<BudgetState, 'run' | 'exchange' | 'soft'>, startedAt: number): BudgetState {
  return { ...limits, startedAt, began: { at: startedAt, spent: NOTHING }, worked: 0, reserved: {}, told: [] };
}

function softReached(state: AgentState, { account }: { account: Account }): Step {
  const { scope, kind, limit, left } = account;
  const note = budgetRunsOut(kind, limit === 0 ? 100 : Math.floor((100 * (limit - left)) / limit));
  const next = changed(state, (budgets) => ({ ...budgets, told: [...budgets.told, { scope, kind }] }));
  return {
    state: { ...next.state, notes: [...state.notes, note] },
    facts: [{ type: 'budget.soft', turn: state.turn, ...used(state, account) }],
  };
}

/** The run goes on as far as the new limits allow, and the model is told again when they run out. */
function raised(
  state: AgentState,
  { scope, limits, by }: { scope: BudgetScope; limits: BudgetLimits; by?: string },
): Step {
  const next = changed(state, ({ reached: _, ...budgets }) => ({
    ...budgets,
    [scope]: limits,
    told: budgets.told.filter((one) => one.scope !== scope),
  }));
  return { state: next.state, facts: [{ type: 'budget.raised', scope, limits, ...defined({ by }) }] };
}

/** It is unknown what the child has used: all that was reserved for it counts. */
function childLost(state: AgentState, { toolUseId }: { toolUseId: string }): Step {
  const report = lostReport(state, toolUseId);
  if (report === undefined) return { state, facts: [] };
  const { usage, cost } = report;
  const fact: BudgetFact = {
    type: 'budget.lost',
    turn: state.turn,
    toolUseId,
    tokens: usage.prompt,
    ...defined({ cost: cost?.amount, currency: cost?.currency }),
  };
  return { state: withChild(state, report), facts: [fact] };
}

function used(
  state: AgentState,
  { scope, kind, limit, spent }: Account,
): BudgetReached & { limit: number; spent: number; currency?: string } {
  return { scope, kind, limit, spent, ...(kind === 'cost' ? defined({ currency: currencyOf(state.budgets) }) : {}) };
}

function changed(state: AgentState, change: (budgets: BudgetState) => BudgetState): Step {
  return { state: state.budgets === undefined ? state : { ...state, budgets: change(state.budgets) }, facts: [] };
}

function without<Value>(all: { [key: string]: Value }, key: string): { [key: string]: Value } {
  return Object.fromEntries(Object.entries(all).filter(([name]) => name !== key));
}
