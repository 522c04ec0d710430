import type { Amounts, BudgetKind, BudgetLimits } from '../../budget/amounts';
import type { PriceSpec } from '../../budget/price-spec';
import { type FieldForms, listOf, maybe, number, objectOf, oneOf, recordOf, text } from '../../values/form';
import type { BudgetReached, BudgetScope, BudgetState } from '../budget-state';
import { MONEY } from './spending-form';

const limits = objectOf<BudgetLimits>({
  tokens: maybe(number),
  cost: maybe(MONEY),
  toolCalls: maybe(number),
  modelCalls: maybe(number),
  time: maybe(number),
  deadline: maybe(number),
});

const AMOUNTS: FieldForms<Amounts> = {
  tokens: number,
  cost: number,
  toolCalls: number,
  modelCalls: number,
  time: number,
  deadline: number,
};

const some = objectOf<Partial<Amounts>>({
  tokens: maybe(number),
  cost: maybe(number),
  toolCalls: maybe(number),
  modelCalls: maybe(number),
  time: maybe(number),
  deadline: maybe(number),
});

const reached = objectOf<BudgetReached>({
  scope: oneOf<BudgetScope>({ run: true, exchange: true }),
  kind: oneOf<BudgetKind>({
    tokens: true,
    cost: true,
    toolCalls: true,
    modelCalls: true,
    time: true,
    deadline: true,
  }),
});

export const priceForm = objectOf<PriceSpec>({ prompt: number, completion: number, currency: text });

/** The form of the budget of a run. */
export const budgetForm = objectOf<BudgetState>({
  run: limits,
  exchange: limits,
  soft: number,
  startedAt: number,
  began: objectOf<BudgetState['began']>({ at: number, spent: objectOf<Amounts>(AMOUNTS) }),
  worked: number,
  last: maybe(objectOf<NonNullable<BudgetState['last']>>({ prompt: number, completion: number })),
  reserved: recordOf(some),
  told: listOf(reached),
  reached: maybe(reached),
});
