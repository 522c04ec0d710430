import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  isCancellation,
} from '@temporalio/workflow';
import { HoldfastError } from '../../agent/errors/error';
import { failureOf, type Run } from './run';

/** Ends the run in order, as cancelled or as failed with a type and a text. */
export function endRun(run: Run, error: unknown): unknown {
  // Whatever fails after a cancel was asked for, such as a call whose worker died: the run ends as it was told to.
  if (isCancellation(error) || CancellationScope.current().consideredCancelled) {
    run.apply({ type: 'ended', reason: 'cancelled' });
    return isCancellation(error) ? error : new CancelledFailure('the run was cancelled');
  }
  const failure = endingOf(error, run.state.id);
  run.apply({
    type: 'ended',
    reason: 'failed',
    error: { type: failure.type ?? 'RunFailed', message: failure.message },
  });
  return failure;
}

/**
 * The failure that a run ends with when an activity has failed for good: an error of ours keeps its type, its text and
 * its data; whatever else happened is told in one line.
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
