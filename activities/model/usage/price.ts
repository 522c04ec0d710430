import { messageOf } from '../../../agent/errors/error';
import type { PriceList, Prices } from '../../../agent/model/config';
import { DEFAULT_CURRENCY, isCurrency, type Money, rounded } from '../../../agent/model/cost/money';
import type { Spending } from '../../../agent/model/cost/spending';
import type { Usage } from '../../../agent/model/cost/usage';
import { isJsonObject } from '../../../agent/values/json';
import type { Warn } from './warnings';

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
  let cost: unknown;
  try {
    cost = prices({ ...usage }, { model });
  } catch (error) {
    warn?.('prices', `\`prices\` failed, so tokens are counted instead of money: ${messageOf(error)}`);
    return undefined;
  }
  const money = typeof cost === 'number' ? moneyOf({ amount: cost, currency: DEFAULT_CURRENCY }) : moneyOf(cost);
  if (money !== undefined) return money;
  const got = typeof cost === 'object' ? JSON.stringify(cost) : String(cost);
  warn?.(
    'prices',
    `\`prices\` must return a number of at least 0, or \`{ amount, currency }\`, got ${got}; tokens are counted instead of money`,
  );
  return undefined;
}

/** An amount of money with a currency, rounded; `undefined` for anything else. */
function moneyOf(given: unknown): Money | undefined {
  if (!isJsonObject(given)) return undefined;
  const { amount, currency } = given;
  if (typeof amount !== 'number' || !Number.isFinite(amount) || amount < 0 || !isCurrency(currency)) return undefined;
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
