import { TimeoutType } from '@temporalio/common';
import { ActivityFailure, type ApplicationFailure, TimeoutFailure } from '@temporalio/workflow';
import type { ErrorType } from '../../agent/errors/error';
import { PASSING_ERRORS } from '../../agent/errors/passing-errors';
import type { PartialAnswer } from '../../agent/protocol/calls/model-call';
import { decidesSince, SINCE } from '../../agent/protocol/decisions';
import type { AgentState } from '../../agent/state/state';
import { defined } from '../../agent/values/defined';
import { isJsonObject } from '../../agent/values/json';
import type { Run } from '../run/run';
import { hasAnswered } from '../state/selectors/in-exchange';
import { modelInUse, modelPatience, takesOver } from '../state/selectors/model-in-use';
import { outageOf, retryAt } from '../state/selectors/phase';
import { waitSummary } from '../view/summaries';
import { wait } from '../waits/wait';

/** Failures that a person can mend: a key, a bill, the name of a model, an alias that workers no longer have. */
const MENDABLE: ReadonlySet<string> = new Set<ErrorType>([
  'ModelUnauthorized',
  'ModelQuotaExceeded',
  'ModelNotFound',
  'UnknownModel',
]);

/** Milliseconds between the calls of a model that does not answer. The last one holds for all further calls. */
const WAITS = [60_000, 120_000, 300_000] as const;

/**
 * Milliseconds until the model in use is asked again after a call that failed for good; `undefined` where the run stops
 * waiting for it. The last call is made when the patience ends.
 * @param now milliseconds since 1970
 */
export function waitFor(state: AgentState, failure: ApplicationFailure, now: number): number | undefined {
  if (!isWaitedFor(state, failure.type ?? '')) return undefined;
  const { since, failures } = outageOf(state) ?? { since: now, failures: 0 };
  const left = modelPatience(state) - (now - since);
  const { asked, later } = askedFor(failure);
  // Asking earlier than the server allows would fail, and another model or a static answer can take over.
  if (left <= 0 || (asked > left && takesOver(state))) return undefined;
  return Math.min(Math.max(WAITS[failures] ?? WAITS[2], asked + later), left);
}

/**
 * Whether a run waits after a failure. What a person has to mend is told at once where the first call meets it: then nothing
 * is lost. Later it would end a task that has come some way, or an answer to a message, for one line of a configuration.
 */
function isWaitedFor(state: AgentState, type: string): boolean {
  if (PASSING_ERRORS.has(type)) return true;
  return MENDABLE.has(type) && !takesOver(state) && hasAnswered(state) && decidesSince(state, SINCE.waitsForMending);
}

/** Milliseconds for which the server asked to wait, and by which the run asks later: many runs would ask at the same time. */
function askedFor({ details }: ApplicationFailure): { asked: number; later: number } {
  const data: unknown = details?.[0];
  if (!isJsonObject(data) || typeof data.retryAfter !== 'number') return { asked: 0, later: 0 };
  return { asked: data.retryAfter, later: typeof data.later === 'number' ? data.later : 0 };
}

/** Whether the attempts were alive but took too long: further attempts would too, and each one costs money. */
export function isSlow(error: unknown): boolean {
  for (let cause = error; cause instanceof ActivityFailure || cause instanceof TimeoutFailure; cause = cause.cause) {
    if (cause instanceof TimeoutFailure && cause.timeoutType === TimeoutType.START_TO_CLOSE) return true;
  }
  return false;
}

/**
 * Waits until the model is asked again. A person may end the wait. An interrupt, a steering message with `now` and a
 * cancel interrupt it through the scope of the exchange.
 */
export async function outlast(
  run: Run,
  ms: number,
  { type, message }: ApplicationFailure,
  partial: PartialAnswer | undefined,
): Promise<void> {
  const at = Date.now();
  const error = { type: type ?? '', message };
  run.apply({ type: 'waiting', error, at, nextAt: at + ms, ...defined({ partial }) });
  const isOver = () => retryAt(run.state) === undefined;
  const summary = waitSummary(run.state, modelInUse(run.state));
  if (!(await wait(run, isOver, { ms, summary }))) run.apply({ type: 'resumed' });
}
