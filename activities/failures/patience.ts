import { ApplicationFailure, CancelledFailure, Context } from '@temporalio/activity';
import { HoldfastError } from '../../agent/errors/error';
import type { ErrorType } from '../../agent/errors/error-data';
import { START_ATTEMPT } from '../../agent/limits';
import { ServerFailure } from '../mcp/server-failure';
import { activityFailure } from './activity-failure';

/** Failures that may go away: a server that does not start, and errors thrown by user functions. */
const TRANSIENT: ReadonlySet<ErrorType> = new Set<ErrorType>([
  'McpServerFailed',
  'ContextBuilderFailed',
  'OutputBuilderFailed',
]);

/**
 * Milliseconds from the first attempt of this activity to this one, by the server's clock: a worker's clock may differ,
 * and time in which no worker took the attempt does not count.
 */
export function triedFor(): number {
  const { currentAttemptScheduledTimestampMs: now, scheduledTimestampMs: first } = Context.current().info;
  return now - first;
}

/**
 * The failure of an attempt: either one that is retried, or the last. The server retries without limit, so that time
 * lost with workers costs no attempt; this function decides when the retries end.
 * @param patience milliseconds
 */
export function attemptFailure(error: unknown, patience: number): unknown {
  if (error instanceof CancelledFailure || isFinal(error)) return error;
  if (error instanceof HoldfastError) {
    const limit = TRANSIENT.has(error.type) ? patience : 0;
    const wait = error.cause instanceof ApplicationFailure ? error.cause.nextRetryDelay : undefined;
    const retry = triedFor() < limit && !isFinal(error.cause);
    return activityFailure(error, { retry, wait: typeof wait === 'number' ? wait : undefined });
  }
  if (triedFor() < patience) return error;
  const { type, message, details } = ApplicationFailure.fromError(error as Error);
  return ApplicationFailure.nonRetryable(message, type ?? 'RunFailed', ...(details ?? []));
}

/** A user's function marks an error as final with `ApplicationFailure.nonRetryable`. */
function isFinal(cause: unknown): boolean {
  if (cause instanceof ServerFailure) return cause.lasting;
  return cause instanceof ApplicationFailure && cause.nonRetryable === true;
}

/**
 * Ends an activity whose attempts never return: the server ends such an attempt, and none of our code sees it.
 * @throws ApplicationFailure with the error that `failed` makes of the problem
 */
export function checkPatience(patience: number, failed: (problem: string) => HoldfastError): void {
  if (triedFor() >= patience + START_ATTEMPT) {
    throw activityFailure(failed(`it repeatedly did not return within ${START_ATTEMPT / 1000} s`));
  }
}
