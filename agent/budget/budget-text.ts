import { moneyText } from '../model/cost/money';
import type { BudgetUse, BudgetView } from '../state/budget-view';
import { type BudgetKind, type BudgetLimits, KINDS, kindsOf, limitOf } from './amounts';

/** What is limited, in words. */
export const KIND_WORDS: { readonly [Kind in BudgetKind]: string } = {
  tokens: 'tokens',
  cost: 'money',
  toolCalls: 'tool calls',
  modelCalls: 'model calls',
  time: 'working time',
  deadline: 'time until the deadline',
};

/** An amount with its unit, such as `1,200 tokens`. */
export function amountText(kind: BudgetKind, amount: number, currency = ''): string {
  if (kind === 'cost') return moneyText({ amount, currency });
  if (kind === 'time' || kind === 'deadline') return `${Math.round(amount / 1000)} s`;
  return `${digits(amount)} ${amount === 1 ? KIND_WORDS[kind].slice(0, -1) : KIND_WORDS[kind]}`;
}

/** Such as `1,200`. The sandbox of a workflow has no locale data. */
function digits(amount: number): string {
  return String(amount).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Limits such as `200,000 tokens, 2.5 USD`. */
export function limitsText(limits: BudgetLimits): string {
  return kindsOf(limits)
    .map((kind) => amountText(kind, limitOf(limits, kind) ?? 0, limits.cost?.currency))
    .join(', ');
}

/** A line for each limit, such as `1,200 of 5,000 tokens spent, 1,400 tokens left`. */
export function budgetLines(view: BudgetView): string[] {
  return (['run', 'exchange'] as const).flatMap((scope) =>
    KINDS.flatMap((kind) => {
      const use = view[scope][kind];
      return use === undefined ? [] : [`${scope === 'run' ? '' : 'exchange: '}${useText(kind, use)}`];
    }),
  );
}

function useText(kind: BudgetKind, { limit, spent, reserved, left, children = 0, currency }: BudgetUse): string {
  const text = (amount: number) => amountText(kind, amount, currency);
  if (kind === 'deadline') return `the deadline is in ${text(left)}`;
  const what = kind === 'time' ? ' of working time' : '';
  const below = children === 0 ? '' : `, of that ${text(children)} by child agents`;
  const aside = reserved === 0 ? '' : `, ${text(reserved)} reserved`;
  const first = ['tokens', 'toolCalls', 'modelCalls'].includes(kind) ? digits(spent) : text(spent);
  return `${first} of ${text(limit)}${what} spent${below}${aside}, ${text(left)} left`;
}
