import { partOf } from '../model/cost/money';
import { type Amounts, type BudgetLimits, KINDS, limitOf, tighter } from './amounts';

/** Kinds that agents share. Each has its own working time, and time runs for all of them. */
const SHARED = ['tokens', 'cost', 'toolCalls', 'modelCalls'] as const;

/** A kind that is divided among agents. */
export type SharedKind = (typeof SHARED)[number];

/** What is free to be shared. Missing: not limited. */
export type Free = Partial<Amounts> & { currency?: string };

/**
 * What the next of several child agents may spend. One with a budget of its own gets at most that; the others share
 * equally what those budgets leave. Shares that are given one after another, each from what is free then, are never
 * more than what was free at first.
 * @param asked the budgets of all children that are still to get theirs, the next one first; `{}` for none
 */
export function shareOf(free: Free, asked: readonly [BudgetLimits, ...BudgetLimits[]]): BudgetLimits {
  const [own] = asked;
  const share: BudgetLimits = {};
  for (const kind of SHARED) {
    const left = free[kind];
    if (left === undefined) continue;
    const amount = partOfKind(kind, left, asked);
    if (kind === 'cost') share.cost = { amount, currency: free.currency ?? '' };
    else share[kind] = amount;
  }
  if (free.deadline !== undefined) share.deadline = Math.max(1, free.deadline);
  return tighter(own, share);
}

function partOfKind(kind: SharedKind, left: number, asked: readonly [BudgetLimits, ...BudgetLimits[]]): number {
  const own = limitOf(asked[0], kind);
  if (own !== undefined) return Math.min(own, left);
  const others = asked.slice(1).reduce((sum, limits) => sum + (limitOf(limits, kind) ?? 0), 0);
  const sharers = asked.filter((limits) => limitOf(limits, kind) === undefined).length;
  const rest = Math.max(0, left - others);
  return kind === 'cost' ? partOf(rest, sharers) : Math.floor(rest / sharers);
}

/** The amounts of a share that are reserved for its child. */
export function reservedBy(share: BudgetLimits): Partial<Amounts> {
  return Object.fromEntries(
    KINDS.filter((kind) => kind !== 'time' && kind !== 'deadline').flatMap((kind) => {
      const amount = limitOf(share, kind);
      return amount === undefined ? [] : [[kind, amount]];
    }),
  );
}

/** Whether a child with this share could not make a single model call. */
export function isNothing(share: BudgetLimits): boolean {
  return (['tokens', 'cost', 'modelCalls'] as const).some((kind) => limitOf(share, kind) === 0);
}
