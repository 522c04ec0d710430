import { TimeoutType } from '@temporalio/common';
import { ActivityFailure, type ApplicationFailure, TimeoutFailure } from '@temporalio/workflow';
import { ANSWER_TOKENS } from '../../agent/budget/budget';
import { priceOf } from '../../agent/budget/price-spec';
import type { ErrorType, HoldfastError } from '../../agent/errors/error';
import { addSpending } from '../../agent/model/cost/spending';
import { attemptsOf } from '../../agent/model/cost/spending-of';
import type { CallBudget, PartialAnswer, SpendingOfModel } from '../../agent/protocol/calls/model-call';
import type { Manifest } from '../../agent/protocol/manifest';
import type { Conclusion } from '../../agent/state/conclusion';
import type { AgentState } from '../../agent/state/state';
import { defined } from '../../agent/values/defined';
import { jsonBytes } from '../../agent/values/json';
import { remembered } from '../../agent/values/remembered';
import { summaryRoom, writerTokens } from '../../agent/window/room';
import type { Run } from '../run/run';
import { lostReport } from '../state/reducers/budget';
import { accountsOf, budgetExhausted, currencyOf, freeOf, reachedAccount, softLimit } from '../state/selectors/budget';
import { pricesOf } from '../state/selectors/model-in-use';
import { partialOf } from './keep-partial-answer';

/** The key of what is set aside for a model call. Those of child agents are ids such as `t1.1`. */
const MODEL = 'model';

/** Tells the model that its budget runs out, or why it has to conclude. */
export function watchBudget(run: Run, conclude: Conclusion | undefined): void {
  const { state } = run;
  if (state.budgets === undefined) return;
  const now = Date.now();
  if (!conclude) {
    const account = softLimit(state, now);
    if (account !== undefined) run.apply({ type: 'softReached', account });
    return;
  }
  const account = reachedAccount(state, now);
  if (account !== undefined && state.budgets.reached === undefined) run.apply({ type: 'budgetReached', account });
}

/** Model calls that have to be left for a summary: it, the call after it, and a conclusion. */
const CALLS_OF_SUMMARY = 3;

/** Why a run does not pay for a summary; `undefined` if it can. The worker that counts its tokens may still refuse it. */
export function summaryRefused(state: AgentState): HoldfastError | undefined {
  const now = Date.now();
  const account =
    reachedAccount(state, now) ??
    accountsOf(state, now).find(({ kind, left }) => kind === 'modelCalls' && left < CALLS_OF_SUMMARY);
  return account && budgetExhausted(state, account);
}

/** What a call may spend: what is left, and what is set aside for the call itself. */
export function callBudget(state: AgentState): { budget?: CallBudget } {
  if (state.budgets === undefined) return {};
  const { [MODEL]: _, ...reserved } = state.budgets.reserved;
  const others = { ...state, budgets: { ...state.budgets, reserved } };
  const { tokens, cost, toolCalls, currency = '' } = freeOf(others, Date.now());
  const money = cost === undefined ? undefined : { amount: cost, currency };
  const budget = defined({ tokens, cost: money, toolCalls });
  if (Object.keys(budget).length === 0) return {};
  return { budget: { ...budget, ...(state.concluding ? {} : { keeps: true as const }) } };
}

/** Sets aside what a call may cost, in case that its worker is lost before it says anything. */
export function reserveCall(run: Run, model: string): void {
  const { state } = run;
  if (state.budgets === undefined) return;
  const completion = state.manifest?.modelSettings?.maxTokens ?? ANSWER_TOKENS;
  reserve(run, model, { prompt: promptSize(run), completion });
}

/** The same for a call that sums up the messages that no summary covers yet. */
export function reserveSummary(run: Run, writer: string): void {
  const { state, index } = run;
  const { budgets, messages, epoch, summary, manifest } = state;
  if (budgets === undefined) return;
  const prompt = Math.ceil(index.bytes(messages, epoch, summary?.upTo ?? 0) / BYTES_PER_TOKEN);
  const completion = writerTokens(summaryRoom(manifest?.contextWindow, manifest?.context));
  reserve(run, writer, { prompt, completion });
}

function reserve(run: Run, model: string, tokens: { prompt: number; completion: number }): void {
  run.clock.begin();
  const price = pricesOf(run.state, model);
  const isMoney = currencyOf(run.state.budgets) !== undefined && price !== undefined;
  const cost = isMoney ? priceOf(price, tokens).amount : undefined;
  const amounts = { tokens: tokens.prompt + tokens.completion, modelCalls: 1, ...defined({ cost }) };
  run.apply({ type: 'reserved', key: MODEL, amounts });
}

/** Bytes of the tools of a manifest as JSON. */
const toolBytes = remembered(({ tools }: Manifest) => jsonBytes(tools));

/** Tokens of the next call, by its bytes. The worker counts them exactly. */
function promptSize({ state, index }: Run): number {
  const { messages, epoch, trimming, manifest, context } = state;
  const tools = manifest === undefined ? 0 : toolBytes(manifest);
  return Math.ceil(
    (index.bytes(messages, epoch, trimming.from) + (context?.system?.length ?? 0) + tools) / BYTES_PER_TOKEN,
  );
}

/** Of English prose. */
const BYTES_PER_TOKEN = 4;

/** The call has ended, whatever came of it. */
export function releaseCall(run: Run): void {
  // A cancel may come before the call is made.
  if (run.state.budgets?.reserved[MODEL] === undefined) return;
  run.endWork();
  run.apply({ type: 'released', key: MODEL });
}

/**
 * A call has failed: what is left of it, with what it has cost. What was set aside for it is free again.
 * @param told what the run was told of its failed attempts: the server ends a call between two of them without their details
 */
export function leftOfCall(run: Run, error: unknown, told: SpendingOfModel | undefined): PartialAnswer | undefined {
  const left = lostCall(run.state, error) ?? partialOf(error) ?? (told && { parts: [], ...told });
  releaseCall(run);
  return left;
}

/** What a call has cost whose worker was lost: what its attempts reported and, for the last, what was set aside. */
function lostCall(state: AgentState, error: unknown): PartialAnswer | undefined {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  if (state.budgets === undefined || !(cause instanceof TimeoutFailure)) return undefined;
  if (cause.timeoutType === TimeoutType.SCHEDULE_TO_START) return undefined;
  const { settled, reserved } = attemptsOf(cause.lastHeartbeatDetails);
  const lost = reserved ?? lostReport(state, MODEL);
  return lost && { parts: [], ...addSpending(settled.spending, lost) };
}

/**
 * The worker refused a call that would take too much, or leave too little for a conclusion. Only a conclusion can
 * follow.
 * @throws HoldfastError `BudgetExhausted` where the call was the conclusion
 */
export function refuseCall(run: Run, conclude: Conclusion | undefined, { details }: ApplicationFailure): void {
  const data: unknown = details?.[0];
  const kind = typeof data === 'object' && data !== null && 'kind' in data && data.kind === 'cost' ? 'cost' : 'tokens';
  const now = Date.now();
  const account = accountsOf(run.state, now)
    .filter((one) => one.kind === kind)
    .sort((a, b) => a.left - b.left)[0];
  if (account === undefined) return;
  if (conclude) throw budgetExhausted(run.state, account);
  run.apply({ type: 'budgetReached', account });
}

/** Whether a worker refused a call because of the budget. */
export function isOverBudget({ type }: ApplicationFailure): boolean {
  return type === ('BudgetExhausted' satisfies ErrorType);
}
