import type { Client } from '@temporalio/client';
import { HoldfastError } from '../agent/error';
import { pollers } from './pollers';

/** Why nothing happens in a run: nobody works on its task queue, or what it waits for fails again and again. */
export async function diagnose(
  client: Client,
  id: string,
  { namespace, taskQueue }: { namespace: string; taskQueue: string },
): Promise<string | undefined> {
  if ((await pollers(client.connection, namespace, taskQueue)).length === 0) {
    return new HoldfastError('NoWorker', { taskQueue }).message;
  }
  const { raw } = await client.workflow.getHandle(id).describe();
  for (const { activityType, attempt, lastFailure } of raw.pendingActivities ?? []) {
    if (lastFailure?.message) return `${activityType?.name}, attempt ${(attempt ?? 1) - 1}: ${lastFailure.message}`;
  }
  return undefined;
}
