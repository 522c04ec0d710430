import { messageOf } from '../../../agent/errors/error';
import type { Spending, Usage } from '../../../agent/model/answer';
import type { Prices } from '../../../agent/model/config';
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
    : { usage, executionUnits: cost, cost };
}

function costOf(usage: Usage, { prices, model, warn }: Priced): number | undefined {
  if (prices === undefined) return undefined;
  if (typeof prices !== 'function') return listed(usage, prices);
  let cost: unknown;
  try {
    cost = prices({ ...usage }, { model });
  } catch (error) {
    warn?.('prices', `\`prices\` failed, so tokens are counted instead of money: ${messageOf(error)}`);
    return undefined;
  }
  if (typeof cost === 'number' && Number.isFinite(cost) && cost >= 0) return cost;
  const got = typeof cost === 'number' ? String(cost) : `a value of type ${typeof cost}`;
  warn?.('prices', `\`prices\` must return a number of at least 0, got ${got}; tokens are counted instead of money`);
  return undefined;
}

function listed(usage: Usage, prices: Exclude<Prices, (...args: never[]) => unknown>): number {
  const { prompt: sent, completion } = usage;
  const cached = Math.min(usage.cached ?? 0, sent);
  const written = Math.min(usage.cacheWritten ?? 0, sent - cached);
  const cost =
    (sent - cached - written) * prices.prompt +
    cached * (prices.cached ?? prices.prompt) +
    written * (prices.cacheWritten ?? prices.prompt) +
    completion * prices.completion;
  return cost / MILLION;
}
