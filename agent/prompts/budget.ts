import type { BudgetKind } from '../budget/amounts';
import { KIND_WORDS } from '../budget/budget-text';

/*
 * What the model reads about the budget of its run.
 */

/** @param used such as 83, in percent */
export function budgetRunsOut(kind: BudgetKind, used: number): string {
  return `You have used ${used} % of your ${KIND_WORDS[kind]}. Finish the work: make only the calls that you still need, then answer.`;
}

/** Asks for a conclusion, before the one further call that was kept back. */
export function budgetIsUsedUp(kind: BudgetKind): string {
  return `Your budget is used up (${KIND_WORDS[kind]}). No more tools will run. Conclude now with what you know, and say what is missing.`;
}

/** Why a call of a tool was not run. */
export function noCallsLeft(tool: string): string {
  return `\`${tool}\` was not run: no tool calls are left in your budget. Conclude with what you know.`;
}

/** Why another agent was not asked. */
export function nothingLeftFor(agent: string): string {
  return `\`${agent}\` was not asked: nothing is left in your budget for it. Conclude with what you know.`;
}
