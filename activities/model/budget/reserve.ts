import { ApplicationFailure } from '@temporalio/common';
import { ANSWER_TOKENS } from '../../../agent/budget/budget';
import { HoldfastError } from '../../../agent/errors/error';
import type { ModelConfig } from '../../../agent/model/config';
import { addSpending, type Spending } from '../../../agent/model/cost/spending';
import type { CompactInput } from '../../../agent/protocol/calls/compaction';
import type { CallBudget, CallModelInput } from '../../../agent/protocol/calls/model-call';
import { defined } from '../../../agent/values/defined';
import type { CallRecord } from '../call-record';
import { spendingFor } from '../usage/price';
import { type FitArgs, type FittedCall, fitCall, sentOf } from '../window/fit-call';
import { ownCount } from '../window/measured-call';
import { pruneMessages } from '../window/trim-messages';

/** A call that is about to be made. */
interface Asked {
  fit: FitArgs;
  /** It is counted already. */
  fitted: FittedCall | undefined;
  budget: CallBudget;
}

interface ToKeep extends Pick<Asked, 'fit' | 'fitted'> {
  call: Pick<CallModelInput, 'budget' | 'model'>;
  record: CallRecord;
}

/** What a call may cost at most, and what it sends. */
interface Reservation {
  fitted: FittedCall;
  /** Of the call. */
  reserved: Spending;
  /** Of the call and, where one has to remain possible, of a conclusion after it. */
  needed: Spending;
}

/**
 * Refuses a call that might take more than the run has left, and sets aside what it may cost. Returns what is sent;
 * `undefined` without a budget.
 * @throws ApplicationFailure `BudgetExhausted`, `ModelUnpriced`
 */
export async function keepBudget({ fit, fitted, call, record }: ToKeep): Promise<FittedCall | undefined> {
  const { budget, model } = call;
  if (budget?.tokens === undefined && budget?.cost === undefined) return undefined;
  const reservation = await reserve({ fit, fitted, budget }, (reserved) => record.before(reserved));
  record.reserve(reservation.reserved);
  checkCurrency(model, budget, reservation.reserved);
  checkBudget('The call', budget, addSpending(record.before(reservation.reserved), reservation.needed));
  return reservation.fitted;
}

/** A summary that is about to be written. */
interface Summary {
  /** The call of the agent's model for which it makes room. */
  fitted: FittedCall;
  input: Pick<CompactInput, 'budget' | 'writer' | 'model'>;
  record: CallRecord;
}

/**
 * Refuses a summary after which the next call, and a conclusion after that, might take more than the run has left, and
 * sets aside what it may cost.
 * @param config of the writer
 * @param prompt tokens that are sent, as the worker counts them
 * @throws ApplicationFailure `BudgetExhausted`, `ModelUnpriced`
 */
export function reserveSummary({ fitted, input, record }: Summary, config: ModelConfig, prompt: number): void {
  const { budget, writer, model } = input;
  if (budget?.tokens === undefined && budget?.cost === undefined) return;
  // How another model counts is not known.
  const factor = writer === model ? (fitted.trimming.factor ?? 1) : 1;
  const reserved = priceOf(config, Math.ceil(prompt * factor));
  record.reserve(reserved);
  checkCurrency(writer, budget, reserved);
  const { needed } = reservationOf(fitted, { keeps: true });
  const total = addSpending(addSpending(record.before(reserved), reserved), needed);
  checkBudget('A summary, the next call and a conclusion', budget, total);
}

/**
 * Counts a call. A conclusion that would cost too much leaves out the oldest messages.
 * @param spent what attempts before this one have cost
 */
async function reserve({ fit, fitted, budget }: Asked, spent: (reserved: Spending) => Spending): Promise<Reservation> {
  const counted = fitted ?? (await fitCall(fit));
  const whole = reservationOf(counted, budget);
  if (budget.keeps === true || isWithin(budget, addSpending(spent(whole.reserved), whole.needed))) return whole;
  const shorter = affordable(counted, budget, spent(whole.reserved));
  return shorter === undefined ? whole : reservationOf(shorter, budget);
}

/** @throws ApplicationFailure `ModelUnpriced` where the budget is in money that the model has no price in */
function checkCurrency(alias: string, budget: CallBudget, { cost }: Spending): void {
  if (budget.cost === undefined || cost?.currency === budget.cost.currency) return;
  const { currency } = budget.cost;
  const has = cost === undefined ? 'has no prices' : `has prices in ${cost.currency}`;
  const problem = `The model \`${alias}\` ${has}, and the budget of the run is in ${currency}`;
  const error = new HoldfastError('ModelUnpriced', { alias, problem });
  throw ApplicationFailure.nonRetryable(error.message, error.type, error.data);
}

/**
 * Refuses what might take more than is left.
 * @throws ApplicationFailure `BudgetExhausted`
 */
function checkBudget(what: string, budget: CallBudget, total: Spending): void {
  if (isWithin(budget, total)) return;
  const kind = isWithin(defined({ tokens: budget.tokens }), total) ? 'cost' : 'tokens';
  const [left, needed] =
    kind === 'tokens' ? [budget.tokens, tokensOf(total)] : [budget.cost?.amount, total.cost?.amount];
  const unit = kind === 'tokens' ? 'tokens' : budget.cost?.currency;
  // The run knows its limits and makes the error that people read.
  throw ApplicationFailure.nonRetryable(
    `${what} may need ${needed} ${unit}, and ${left} ${unit} are left in the budget`,
    'BudgetExhausted',
    { kind, ...defined({ left, needed }) },
  );
}

function isWithin({ tokens = Number.POSITIVE_INFINITY, cost }: CallBudget, total: Spending): boolean {
  return tokensOf(total) <= tokens && (cost === undefined || (total.cost?.amount ?? 0) <= cost.amount);
}

function tokensOf({ usage: { prompt, completion } }: Spending): number {
  return prompt + completion;
}

function reservationOf(fitted: FittedCall, { keeps }: CallBudget): Reservation {
  const { config } = fitted;
  const prompt = Math.ceil(ownCount(fitted) * (fitted.trimming.factor ?? 1));
  const reserved = priceOf(config, prompt);
  if (keeps !== true) return { fitted, reserved, needed: reserved };
  // A conclusion reads the answer as well.
  const conclusion = priceOf(config, prompt + reserved.usage.completion);
  return { fitted, reserved, needed: addSpending(reserved, conclusion) };
}

/** What a call costs at most. */
function priceOf({ maxTokens = ANSWER_TOKENS, prices, model }: ModelConfig, prompt: number): Spending {
  return spendingFor({ prompt, completion: maxTokens, estimated: true }, { prices, model });
}

/** Shares of the transcript of which a conclusion is made, if all of it costs too much. */
const SHARES = [0.75, 0.5, 0.25, 0] as const;

/** The call without its oldest messages; `undefined` if the budget does not allow even the newest ones. */
function affordable(counted: FittedCall, budget: CallBudget, spent: Spending): FittedCall | undefined {
  const { choice, pruned } = counted;
  for (const share of SHARES) {
    const fewer = pruneMessages({ ...choice, room: Math.floor(pruned.tokens * share) });
    const fitted = { ...counted, pruned: fewer, ...sentOf({ ...counted, messages: choice.messages }, fewer) };
    if (isWithin(budget, addSpending(spent, reservationOf(fitted, budget).reserved))) return fitted;
  }
  return undefined;
}
