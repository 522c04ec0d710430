import { ApplicationFailure } from '@temporalio/common';
import type { HoldfastError } from '../../agent/errors/error';
import { defined } from '../../agent/values/defined';
import type { Json } from '../../agent/values/json';
import { hideSecrets, hideSecretsIn } from '../../runtime/secrets/redact';
import { environmentSecrets } from '../../runtime/secrets/secret-values';

/**
 * One of our errors as the failure of an activity: type, text and data survive the way through history; secrets of the
 * worker's environment are removed first.
 * @param options.wait milliseconds until the next attempt
 */
export function activityFailure(
  error: HoldfastError,
  { retry = false, wait }: { retry?: boolean; wait?: number | undefined } = {},
): ApplicationFailure {
  const secrets = environmentSecrets(process.env);
  return ApplicationFailure.create({
    type: error.type,
    message: hideSecrets(error.message, secrets),
    details: [hideSecretsIn(error.data as unknown as Json, secrets)],
    nonRetryable: !retry,
    ...defined({ nextRetryDelay: wait }),
  });
}
