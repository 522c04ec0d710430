import type { Client } from '@temporalio/client';
import { HoldfastError } from '../../agent/errors/error';
import { pollers } from '../../runtime/temporal/pollers';

/** Why no worker answers for a run: there is none, or the existing ones have been busy since `since` (milliseconds). */
export async function noWorker(
  client: Client,
  id: string,
  { since, cause }: { since: number; cause: unknown },
): Promise<HoldfastError> {
  const taskQueue = await queueOf(client, id);
  const workers = await pollersOf(client, taskQueue);
  const busy = workers.length === 0 ? {} : { busy: { workers, since: new Date(since).toISOString() } };
  return new HoldfastError('NoWorker', { taskQueue, ...busy }, { cause });
}

/** The task queue of a run, for people. */
export async function queueOf(client: Client, id: string): Promise<string> {
  try {
    return (await client.workflow.getHandle(id).describe()).taskQueue;
  } catch {
    return 'of this run';
  }
}

/** Not every server or key allows this. */
async function pollersOf(client: Client, taskQueue: string): Promise<string[]> {
  try {
    return await pollers(client.connection, client.options.namespace, taskQueue);
  } catch {
    return [];
  }
}
