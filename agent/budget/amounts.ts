import { type Money, sumOf } from '../model/cost/money';

/** What a budget can limit. */
export const KINDS = ['tokens', 'cost', 'toolCalls', 'modelCalls', 'time', 'deadline'] as const;

/** One of the things that a budget can limit. */
export type BudgetKind = (typeof KINDS)[number];

/** A number for each kind: tokens, money, calls, and milliseconds. */
export type Amounts = { [Kind in BudgetKind]: number };

export const NOTHING: Amounts = { tokens: 0, cost: 0, toolCalls: 0, modelCalls: 0, time: 0, deadline: 0 };

/** Limits as a run knows them. Times are milliseconds. Missing: not limited. */
export interface BudgetLimits {
  /** Prompt and completion tokens. */
  tokens?: number;
  /** Money, for models with prices. */
  cost?: Money;
  /** Calls of tools and services. */
  toolCalls?: number;
  /** Calls of models. */
  modelCalls?: number;
  /** Milliseconds of work: waits for people, services and models that do not answer are not counted. */
  time?: number;
  /** Milliseconds since the start, waits included. */
  deadline?: number;
}

/** The limit of one kind; `undefined` where it is not limited. */
export function limitOf(limits: BudgetLimits, kind: BudgetKind): number | undefined {
  return kind === 'cost' ? limits.cost?.amount : limits[kind];
}

/** The kinds that are limited. */
export function kindsOf(limits: BudgetLimits): BudgetKind[] {
  return KINDS.filter((kind) => limitOf(limits, kind) !== undefined);
}

/** Sums of money are exact to a billionth. */
export function plus(a: Amounts, b: Partial<Amounts>): Amounts {
  return eachOf((kind) => sumOf(a[kind], b[kind] ?? 0));
}

export function minus(a: Amounts, b: Partial<Amounts>): Amounts {
  return eachOf((kind) => sumOf(a[kind], -(b[kind] ?? 0)));
}

/** For each kind the limit that leaves less; the currency of both is the same. */
export function tighter(a: BudgetLimits, b: BudgetLimits): BudgetLimits {
  const limits: BudgetLimits = { ...a };
  for (const kind of kindsOf(b)) {
    const [before, given] = [limitOf(a, kind), limitOf(b, kind)];
    if (given !== undefined && (before === undefined || given < before)) Object.assign(limits, { [kind]: b[kind] });
  }
  return limits;
}

/** What a limit still allows, never less than 0. Together with what is spent and reserved it is the limit, if neither went over it. */
export function leftOf(limit: number, spent: number, reserved: number): number {
  return Math.max(0, sumOf(limit, -spent, -reserved));
}

function eachOf(amount: (kind: BudgetKind) => number): Amounts {
  return {
    tokens: amount('tokens'),
    cost: amount('cost'),
    toolCalls: amount('toolCalls'),
    modelCalls: amount('modelCalls'),
    time: amount('time'),
    deadline: amount('deadline'),
  };
}
