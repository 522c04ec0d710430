import { ActivityFailure, ApplicationFailure } from '@temporalio/workflow';
import { HoldfastError } from '../../agent/errors/error';

/** An error of ours as the failure of a workflow: its type and data stay readable for every client. */
export function failureOf(error: HoldfastError): ApplicationFailure {
  return ApplicationFailure.create({
    type: error.type,
    message: error.message,
    details: [error.data],
    nonRetryable: true,
  });
}

/**
 * Returns the result of `work`. Rethrows an error of ours as a failure: only this request fails, and its type stays
 * readable.
 */
export function orFailure<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof HoldfastError ? failureOf(error) : error;
  }
}

/**
 * The failure with which a run ends when an activity has failed for good. An error of ours keeps its type, its text and
 * its data. Any other error becomes one line of text.
 */
export function endingOf(error: unknown, id: string): ApplicationFailure {
  if (error instanceof ApplicationFailure) return error;
  if (error instanceof HoldfastError) return failureOf(error);
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  if (cause instanceof ApplicationFailure && cause.type) {
    return ApplicationFailure.nonRetryable(cause.message, cause.type, cause.details?.[0]);
  }
  const what =
    error instanceof ActivityFailure ? `${error.activityType}: ${cause?.message ?? error.message}` : String(error);
  return failureOf(new HoldfastError('RunFailed', { id, problem: what }));
}
