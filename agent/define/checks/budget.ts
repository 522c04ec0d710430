import { budgetProblem } from '../../budget/check-budget';
import type { AgentDefinition } from '../agent-definition';
import { fail } from './fail';

/** Checks a budget that may be missing. */
export function checkBudget(budget: unknown, place: string): void {
  if (budget === undefined) return;
  const wrong = budgetProblem(budget);
  if (wrong !== undefined) fail(`${place}${wrong.field}`, wrong.problem);
}

/** Checks the budget of an agent. */
export function checkAgentBudget({ budget, mode, services = {} }: AgentDefinition, place: string): void {
  checkBudget(budget, `${place}.budget`);
  if (budget?.perExchange !== undefined && mode !== 'conversation')
    fail(
      `${place}.budget.perExchange`,
      "Only a conversation has exchanges; set the limits of a task directly, or add `mode: 'conversation'`",
    );
  const currency = (budget?.cost ?? budget?.perExchange?.cost)?.currency;
  if (currency === undefined) return;
  for (const [name, service] of Object.entries(services)) {
    const given = service.kind === 'agent' ? service.budget?.cost?.currency : undefined;
    if (given !== undefined && given !== currency)
      fail(
        `${place}.services.${name}.budget.cost.currency`,
        `Expected ${currency}, the currency of the agent's budget, got ${given}`,
      );
  }
}
