import type { Client } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';

/** An environment for one activity, which does not log that the activity fails. */
export function quietEnvironment(client?: Client): MockActivityEnvironment {
  const logger = new DefaultLogger('ERROR');
  return new MockActivityEnvironment({}, { logger, ...(client === undefined ? {} : { client }) });
}
