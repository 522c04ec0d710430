import { inspect, types } from 'node:util';
import { messageOf } from '../../../agent/errors/error';
import type { PriceList, Prices } from '../../../agent/model/config';
import { DEFAULT_CURRENCY, isCurrency, MOST_MONEY, type Money, rounded } from '../../../agent/model/cost/money';
import type { Spending } from '../../../agent/model/cost/spending';
import type { Usage } from '../../../agent/model/cost/usage';
import { isJsonObject } from '../../../agent/values/json';
import type { Warn } from './warnings';

/** How a wrong price is shown. */
const SHOWN = { depth: 1, breakLength: Number.POSITIVE_INFINITY, customInspect: false };
/** Characters of it. */
const MAX_SHOWN = 100;

/** Prices are for a million tokens. */
const MILLION = 1_000_000;

interface Priced {
  prices?: Prices | undefined;
  /** The model that answered. */
  model: string;
  warn?: Warn | undefined;
}

/** What a usage costs: money if the model has prices, else tokens. */
export function spendingFor(usage: Usage, priced: Priced): Spending {
  const cost = costOf(usage, priced);
  return cost === undefined
    ? { usage, executionUnits: usage.prompt + usage.completion }
    : { usage, executionUnits: cost.amount, cost };
}

function costOf(usage: Usage, { prices, model, warn }: Priced): Money | undefined {
  if (prices === undefined) return undefined;
  if (typeof prices !== 'function') return listed(usage, prices);
  try {
    const cost: unknown = prices({ ...usage }, { model });
    const money = moneyOf(typeof cost === 'number' ? { amount: cost, currency: DEFAULT_CURRENCY } : cost);
    if (money !== undefined) return money;
    warn?.(
      'prices',
      `\`prices\` must return a number from 0 to ${MOST_MONEY}, or \`{ amount, currency }\`, and at once, got ${shown(cost)}; tokens are counted instead of money`,
    );
  } catch (error) {
    // The function itself, or a getter of what it returns.
    warn?.('prices', `\`prices\` failed, so tokens are counted instead of money: ${messageOf(error)}`);
  }
  return undefined;
}

function shown(cost: unknown): string {
  if (!types.isPromise(cost)) return inspect(cost, SHOWN).slice(0, MAX_SHOWN);
  // One that rejects later would end the process. It may have a method `catch` of its own.
  Promise.prototype.then.call(cost, undefined, () => undefined);
  return 'a promise';
}

/** An amount of money with a currency, rounded; `undefined` for anything else. */
function moneyOf(given: unknown): Money | undefined {
  if (!isJsonObject(given)) return undefined;
  const { amount, currency } = given;
  if (typeof amount !== 'number' || !(amount >= 0 && amount <= MOST_MONEY) || !isCurrency(currency)) return undefined;
  return { amount: rounded(amount), currency };
}

function listed(usage: Usage, prices: PriceList): Money {
  const { prompt: sent, completion } = usage;
  const cached = Math.min(usage.cached ?? 0, sent);
  const written = Math.min(usage.cacheWritten ?? 0, sent - cached);
  const cost =
    (sent - cached - written) * prices.prompt +
    cached * (prices.cached ?? prices.prompt) +
    written * (prices.cacheWritten ?? prices.prompt) +
    completion * prices.completion;
  return { amount: rounded(cost / MILLION), currency: prices.currency ?? DEFAULT_CURRENCY };
}
