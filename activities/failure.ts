import { ApplicationFailure } from '@temporalio/common';
import type { HoldfastError } from '../agent/error';

/**
 * An error of ours as the failure of an activity: type, text and data survive the way through history.
 * @param options.wait milliseconds until the next attempt
 */
export function activityFailure(
  error: HoldfastError,
  { retry = false, wait }: { retry?: boolean; wait?: number | undefined } = {},
): ApplicationFailure {
  return ApplicationFailure.create({
    type: error.type,
    message: error.message,
    details: [error.data],
    nonRetryable: !retry,
    ...(wait === undefined ? {} : { nextRetryDelay: wait }),
  });
}
