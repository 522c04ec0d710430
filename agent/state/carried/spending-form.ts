import type { Calls, RunReport } from '../../budget/report';
import type { Money } from '../../model/cost/money';
import type { Spending, Unpriced } from '../../model/cost/spending';
import type { Usage } from '../../model/cost/usage';
import { count, type FieldForms, listOf, maybe, number, objectOf, text, yes } from '../../values/form';

export const MONEY = objectOf<Money>({ amount: number, currency: text });

/** The fields of a spending. */
export const SPENDING: FieldForms<Spending> = {
  usage: objectOf<Usage>({
    prompt: number,
    completion: number,
    cached: maybe(number),
    cacheWritten: maybe(number),
    reasoning: maybe(number),
    estimated: maybe(yes),
  }),
  executionUnits: number,
  cost: maybe(MONEY),
  otherCosts: maybe(listOf(MONEY)),
  unpriced: maybe(objectOf<Unpriced>({ calls: count, tokens: number })),
};

export const CALLS = objectOf<Calls>({ model: count, tool: count });

/** The fields of a report. */
export const REPORT: FieldForms<RunReport> = { ...SPENDING, calls: CALLS };
