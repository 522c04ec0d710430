import { isCurrency } from '../model/cost/money';
import { milliseconds } from '../values/duration';
import { KINDS } from './amounts';

/** What is wrong with a budget, and where in it. */
export interface BudgetProblem {
  /** Such as `.cost.amount`; empty for the whole. */
  field: string;
  problem: string;
}

/** Checks a budget of any origin; `undefined` if it is valid. */
export function budgetProblem(given: unknown): BudgetProblem | undefined {
  if (!isRecord(given)) return { field: '', problem: 'Expected an object such as `{ tokens: 100_000 }`' };
  const { perExchange, soft, ...run } = given;
  const problem = amountsProblem(run, '', ['perExchange', 'soft']);
  if (problem !== undefined) return problem;
  if (soft !== undefined && !(typeof soft === 'number' && soft > 0 && soft <= 1))
    return { field: '.soft', problem: `Expected a number over 0, at most 1, got \`${String(soft)}\`` };
  if (perExchange === undefined) return undefined;
  if (!isRecord(perExchange)) return { field: '.perExchange', problem: 'Expected an object' };
  const inner = amountsProblem(perExchange, '.perExchange');
  if (inner !== undefined) return inner;
  const [a, b] = [currencyOf(run), currencyOf(perExchange)];
  if (a === undefined || b === undefined || a === b) return undefined;
  return { field: '.perExchange.cost.currency', problem: `Expected ${a}, the currency of the run, got ${b}` };
}

/** Checks limits: those of a whole run, or of an exchange. */
export function amountsProblem(
  given: { [field: string]: unknown },
  at: string,
  others: readonly string[] = [],
): BudgetProblem | undefined {
  const known: readonly string[] = [...KINDS, ...others];
  const strange = Object.keys(given).find((field) => !known.includes(field));
  if (strange !== undefined)
    return { field: at, problem: `Unknown field \`${strange.slice(0, 50)}\`; known are ${known.join(', ')}` };
  for (const kind of KINDS) {
    const value = given[kind];
    if (value === undefined) continue;
    const problem = kind === 'cost' ? moneyProblem(value) : amountProblem(kind, value);
    if (problem !== undefined) return { field: `${at}.${kind}${problem.field}`, problem: problem.problem };
  }
  return undefined;
}

function amountProblem(kind: string, value: unknown): BudgetProblem | undefined {
  if (kind === 'time' || kind === 'deadline') {
    if (milliseconds(value) !== undefined) return undefined;
    return { field: '', problem: `Expected milliseconds or a duration such as '1h', got \`${String(value)}\`` };
  }
  if (Number.isSafeInteger(value) && Number(value) >= 0) return undefined;
  return { field: '', problem: `Expected a whole number of at least 0, got \`${String(value)}\`` };
}

function moneyProblem(value: unknown): BudgetProblem | undefined {
  if (!isRecord(value)) return { field: '', problem: "Expected money, such as `{ amount: 2.5, currency: 'USD' }`" };
  const { amount, currency } = value;
  if (!(typeof amount === 'number' && Number.isFinite(amount) && amount >= 0))
    return { field: '.amount', problem: `Expected a number of at least 0, got \`${String(amount)}\`` };
  if (!isCurrency(currency))
    return { field: '.currency', problem: `Expected an ISO 4217 code such as \`USD\`, got \`${String(currency)}\`` };
  return undefined;
}

function currencyOf({ cost }: { [field: string]: unknown }): string | undefined {
  return isRecord(cost) ? String(cost.currency) : undefined;
}

function isRecord(given: unknown): given is { [field: string]: unknown } {
  return typeof given === 'object' && given !== null && !Array.isArray(given);
}
