import { ApplicationFailure } from '@temporalio/common';
import type { HoldfastError } from '../agent/error';

/** An error of ours as the failure of an activity: type, text and data survive the way through history. */
export function activityFailure(error: HoldfastError, options: { retry?: boolean } = {}): ApplicationFailure {
  return ApplicationFailure.create({
    type: error.type,
    message: error.message,
    details: [error.data],
    nonRetryable: options.retry !== true,
  });
}
