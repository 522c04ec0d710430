/** An amount of money. Amounts of different currencies are never added. */
export interface Money {
  /** In the currency's main unit, such as 1.5 for one dollar and 50 cents. At least 0. */
  amount: number;
  /** ISO 4217 code, such as `USD`. */
  currency: string;
}

/** The currency of prices that name none. */
export const DEFAULT_CURRENCY = 'USD';

/** Sums count in billionths, so that they are exact: a token of a cheap model costs about 50 of them. */
const BILLION = 1_000_000_000;

/** The largest amount: beyond it sums are no longer exact. */
export const MOST_MONEY = 9_000_000;

/** The amount, rounded to a billionth. */
export function rounded(amount: number): number {
  return Math.round(amount * BILLION) / BILLION;
}

/** The sum of amounts, exact to a billionth up to about nine million. */
export function sumOf(...amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + Math.round(amount * BILLION), 0) / BILLION;
}

/** One of `parts` equal parts of an amount. All together they are never more than the amount. */
export function partOf(amount: number, parts: number): number {
  return Math.floor(Math.round(amount * BILLION) / parts) / BILLION;
}

export function isCurrency(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Z]{3}$/.test(value);
}

/** Such as `0.0123 USD`, with six significant digits. */
export function moneyText({ amount, currency }: Money): string {
  return `${Number(amount.toPrecision(6))} ${currency}`;
}
