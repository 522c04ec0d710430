import type { Money } from '../model/cost/money';
import { rounded } from '../model/cost/money';

/** Prices of a model as a run pins them: money for a million tokens. */
export interface PriceSpec {
  prompt: number;
  completion: number;
  currency: string;
}

/** What a call costs at most, by these prices. */
export function priceOf(
  { prompt, completion, currency }: PriceSpec,
  tokens: { prompt: number; completion: number },
): Money {
  return { amount: rounded((tokens.prompt * prompt + tokens.completion * completion) / 1_000_000), currency };
}

/** Why a budget in money cannot be kept with these models; `undefined` where it can. */
export function unpriced(
  currency: string,
  aliases: readonly string[],
  prices: { readonly [alias: string]: PriceSpec } | undefined,
): string | undefined {
  for (const alias of aliases) {
    const price = prices !== undefined && Object.hasOwn(prices, alias) ? prices[alias] : undefined;
    if (price === undefined) return `The model \`${alias}\` has no prices, so a budget in ${currency} cannot be kept`;
    if (price.currency !== currency)
      return `The prices of the model \`${alias}\` are in ${price.currency}, and the budget is in ${currency}`;
  }
  return undefined;
}
