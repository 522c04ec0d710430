import { defined } from '../../values/defined';
import { type Money, moneyText, sumOf } from './money';
import { addUsage, isNoUsage, NO_USAGE, type Usage } from './usage';

/** What one or more model calls cost. */
export interface Spending {
  /** Tokens. */
  usage: Usage;
  /** Money if the model has prices, else prompt plus completion tokens. */
  executionUnits: number;
  /** Money for the calls of models with prices. Missing if no model has any. */
  cost?: Money;
  /** Money in other currencies than that of `cost`. Missing: none. */
  otherCosts?: Money[];
  /** The calls of models without prices, which `cost` leaves out. Missing: none, or only this one. */
  unpriced?: Unpriced;
}

/** What a run has used, as it is shown: its own model calls, and those of its child agents. */
export interface SpentByRun {
  /** Tokens of all model calls, failed and interrupted attempts included, and those of child agents. */
  usage: Usage;
  /** Cost of the run's own model calls: money if models have prices, else tokens. */
  executionUnits: number;
  /** Money, that of child agents included. Missing if no model that answered has prices. */
  cost?: Money;
  /** Money in other currencies than that of `cost`. Missing: none. */
  otherCosts?: Money[];
  /** The calls that `cost` leaves out, since their models have no prices. Missing: none, or there is no `cost`. */
  unpriced?: Unpriced;
  /** The part of child agents. Missing: none has reported any. */
  children?: SpentByChildren;
}

/** What the child agents of a run have used together, those below them included. */
export interface SpentByChildren {
  /** Number of child agents that have ended. */
  runs: number;
  /** Tokens. */
  usage: Usage;
  /** Money. */
  cost?: Money;
  /** Money in other currencies than that of `cost`. */
  otherCosts?: Money[];
  /** Calls without a price, which `cost` leaves out. */
  unpriced?: Unpriced;
}

/** Calls of models without prices. */
export interface Unpriced {
  /** Number of the calls. */
  calls: number;
  /** Their prompt and completion tokens. */
  tokens: number;
}

export const NO_SPENDING: Spending = { usage: NO_USAGE, executionUnits: 0 };

/** The sum. Tokens without a price and money of other currencies stay apart from its `cost`. */
export function addSpending(a: Spending, b: Spending): Spending {
  const [cost, ...others] = addMoneys(moneysOf(a), moneysOf(b));
  return {
    usage: addUsage(a.usage, b.usage),
    executionUnits: a.executionUnits + b.executionUnits,
    ...defined({
      cost,
      otherCosts: others.length === 0 ? undefined : others,
      unpriced: addUnpriced(unpricedOf(a), unpricedOf(b)),
    }),
  };
}

/** The same, with more spent on it. */
export function plusSpending<What extends Spending>(what: What, more: Spending): What {
  const { cost: _, otherCosts: __, unpriced: ___, ...rest } = what;
  // Only the fields of the sum differ, and they have the same types.
  return { ...rest, ...addSpending(what, more) } as What;
}

/** The fields of a spending, without any others. */
export function spendingIn({ usage, executionUnits, cost, otherCosts, unpriced }: Spending): Spending {
  return { usage, executionUnits, ...defined({ cost, otherCosts, unpriced }) };
}

/** The money of a spending as people are shown it: `unpriced` only says what a `cost` leaves out. */
export function moneyIn({ cost, otherCosts, unpriced }: Spending): Pick<Spending, 'cost' | 'otherCosts' | 'unpriced'> {
  return cost === undefined ? {} : defined({ cost, otherCosts, unpriced });
}

/** The money of a spending in words, such as `0.02 USD and 2 calls without a price`; empty where no model has prices. */
export function costText({
  cost,
  otherCosts = [],
  unpriced,
}: Pick<Spending, 'cost' | 'otherCosts' | 'unpriced'>): string {
  if (cost === undefined) return '';
  const money = [cost, ...otherCosts].map(moneyText).join(' + ');
  if (unpriced === undefined) return money;
  return `${money} and ${unpriced.calls === 1 ? '1 call' : `${unpriced.calls} calls`} without a price`;
}

/** The calls without a price: those that it names or, where it has no cost, itself. */
function unpricedOf({ usage, cost, unpriced }: Spending): Unpriced | undefined {
  if (unpriced !== undefined || cost !== undefined || isNoUsage(usage)) return unpriced;
  return { calls: 1, tokens: usage.prompt + usage.completion };
}

function addUnpriced(a: Unpriced | undefined, b: Unpriced | undefined): Unpriced | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return { calls: a.calls + b.calls, tokens: a.tokens + b.tokens };
}

/** A call that used nothing, such as one that was refused, says nothing about money either. */
function moneysOf({ usage, cost, otherCosts = [] }: Spending): Money[] {
  if (isNoUsage(usage) && cost?.amount === 0) return [];
  return cost === undefined ? otherCosts : [cost, ...otherCosts];
}

/** One sum for each currency, in the order in which they came. */
function addMoneys(a: readonly Money[], b: readonly Money[]): Money[] {
  const sums = new Map<string, number>();
  for (const { amount, currency } of [...a, ...b]) sums.set(currency, sumOf(sums.get(currency) ?? 0, amount));
  return [...sums].map(([currency, amount]) => ({ amount, currency }));
}
