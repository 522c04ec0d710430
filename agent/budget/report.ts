import { isCurrency, type Money } from '../model/cost/money';
import { NO_SPENDING, type Spending } from '../model/cost/spending';
import type { Usage } from '../model/cost/usage';
import { defined } from '../values/defined';
import { isJsonObject, type Json } from '../values/json';

/** Numbers of calls. */
export interface Calls {
  /** Calls of models that were answered, or cost something. */
  model: number;
  /** Calls of tools and services that ran. */
  tool: number;
}

/** What a run tells the one that delegated to it: all that it and its own child agents have used. */
export interface RunReport extends Spending {
  calls: Calls;
}

export const NO_REPORT: RunReport = { ...NO_SPENDING, calls: { model: 0, tool: 0 } };

/**
 * Reads a report, which may come from a worker of another version or from another system; `undefined` where it has no
 * usage.
 */
export function readReport(given: unknown): RunReport | undefined {
  if (!isJsonObject(given)) return undefined;
  const usage = readUsage(given.usage);
  if (usage === undefined) return undefined;
  const { cost, otherCosts, unpriced, calls } = given;
  const money = readMoney(cost);
  const tokens = usage.prompt + usage.completion;
  const made: Calls = isJsonObject(calls)
    ? { model: count(calls.model), tool: count(calls.tool) }
    : { model: 0, tool: 0 };
  const others = Array.isArray(otherCosts) ? otherCosts.flatMap((one) => readMoney(one) ?? []) : [];
  const left = isJsonObject(unpriced) ? { calls: count(unpriced.calls), tokens: count(unpriced.tokens) } : undefined;
  return {
    usage,
    executionUnits: count(given.executionUnits),
    calls: made,
    ...defined({
      cost: money,
      otherCosts: others.length === 0 ? undefined : others,
      unpriced: left ?? (money === undefined && tokens > 0 ? { calls: made.model, tokens } : undefined),
    }),
  };
}

/** The report in an event. Its text may come from anybody. */
export function reportInEvent(text: string | undefined): RunReport | undefined {
  if (text === undefined) return undefined;
  try {
    return readReport(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function readUsage(given: Json | undefined): Usage | undefined {
  if (!isJsonObject(given) || !isAmount(given.prompt) || !isAmount(given.completion)) return undefined;
  const { prompt, completion, estimated } = given;
  return { prompt, completion, ...defined({ estimated: estimated === true ? estimated : undefined }) };
}

function readMoney(given: Json | undefined): Money | undefined {
  if (!isJsonObject(given) || !isAmount(given.amount) || !isCurrency(given.currency)) return undefined;
  return { amount: given.amount, currency: given.currency };
}

function count(given: Json | undefined): number {
  return isAmount(given) ? given : 0;
}

function isAmount(given: unknown): given is number {
  return typeof given === 'number' && Number.isFinite(given) && given >= 0;
}
