import type { Money } from '../model/cost/money';
import { defined } from '../values/defined';
import { type Duration, milliseconds } from '../values/duration';
import { type BudgetLimits, tighter } from './amounts';

/** What a run may spend, together with its child agents. Missing: not limited. */
export interface BudgetAmounts {
  /** Prompt and completion tokens of all model calls. */
  tokens?: number;
  /** Money. Every model of the agent needs prices in this currency. */
  cost?: Money;
  /** Calls of tools and services. */
  toolCalls?: number;
  /** Calls of models, the concluding one included. */
  modelCalls?: number;
  /** Time in which models and tools work. Waits for people, services and models that do not answer are not counted. */
  time?: Duration;
  /** Time since the start, waits included. An open wait ends with it. */
  deadline?: Duration;
}

/** The budget of an agent, of a service that is an agent, or of one run. */
export interface Budget extends BudgetAmounts {
  /** Limits of each exchange of a conversation. The deadline counts from its message. */
  perExchange?: BudgetAmounts;
  /** The fraction of any limit at which the model is told to finish. Default 0.8. */
  soft?: number;
}

/** A budget as a run pins it. */
export interface BudgetSpec {
  run: BudgetLimits;
  exchange: BudgetLimits;
  soft?: number;
}

/** Default fraction at which the model is told: enough is left for some more calls. */
export const SOFT = 0.8;

/** Tokens of an answer that are reserved where no `maxTokens` bounds it. */
export const ANSWER_TOKENS = 2000;

/** A checked budget, with times in milliseconds. */
export function budgetSpec({ perExchange = {}, soft, ...run }: Budget): BudgetSpec {
  return { run: limitsOf(run), exchange: limitsOf(perExchange), ...defined({ soft }) };
}

/** Limits with times in milliseconds. */
export function limitsOf({ tokens, cost, toolCalls, modelCalls, time, deadline }: BudgetAmounts): BudgetLimits {
  const times = { time: milliseconds(time), deadline: milliseconds(deadline) };
  return defined({ tokens, cost: cost && moneyOf(cost), toolCalls, modelCalls, ...times });
}

/** Both budgets apply: that of the agent, and the one that its caller gives. */
export function bothOf(a: BudgetSpec, b: BudgetSpec): BudgetSpec {
  const told = [a.soft, b.soft].filter((soft) => soft !== undefined);
  return {
    run: tighter(a.run, b.run),
    exchange: tighter(a.exchange, b.exchange),
    ...(told.length === 0 ? {} : { soft: Math.min(...told) }),
  };
}

function moneyOf({ amount, currency }: Money): Money {
  return { amount, currency };
}
