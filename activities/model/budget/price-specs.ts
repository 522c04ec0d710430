import type { PriceSpec } from '../../../agent/budget/price-spec';
import type { ModelConfig, Prices } from '../../../agent/model/config';
import { DEFAULT_CURRENCY } from '../../../agent/model/cost/money';
import { spendingFor } from '../usage/price';

type Priced = Pick<ModelConfig, 'prices' | 'model'>;

/** The prices of models that have any, by alias. */
export function priceSpecs(
  aliases: readonly string[],
  models: Readonly<Record<string, Priced>>,
): { [alias: string]: PriceSpec } {
  return Object.fromEntries(
    aliases.flatMap((alias) => {
      const price = Object.hasOwn(models, alias) ? priceSpec(models[alias]) : undefined;
      return price === undefined ? [] : [[alias, price] as const];
    }),
  );
}

/** Prices for a million tokens; those of a function are what it says for a call of a million of one kind. */
export function priceSpec({ prices, model }: Priced = { model: '' }): PriceSpec | undefined {
  if (prices === undefined) return undefined;
  if (typeof prices !== 'function') {
    const { prompt, completion, cached = 0, cacheWritten = 0, currency = DEFAULT_CURRENCY } = prices;
    return { prompt: Math.max(prompt, cached, cacheWritten), completion, currency };
  }
  const prompt = askedFor(prices, model, { prompt: 1_000_000, completion: 0 });
  const completion = askedFor(prices, model, { prompt: 0, completion: 1_000_000 });
  if (prompt === undefined || completion === undefined || prompt.currency !== completion.currency) return undefined;
  return { prompt: prompt.amount, completion: completion.amount, currency: prompt.currency };
}

function askedFor(prices: Prices, model: string, usage: { prompt: number; completion: number }) {
  return spendingFor(usage, { prices, model }).cost;
}
