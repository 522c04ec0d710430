import type { Client } from '@temporalio/client';
import { HoldfastError } from '../../agent/errors/error';
import type { PinnedBuild } from '../../agent/errors/error-data';
import { pollers } from '../../runtime/temporal/pollers';
import { isPassing, orHoldfastError } from './client-error';
import { soon as whileThere } from './soon';

/** VERSIONING_BEHAVIOR_PINNED. */
const PINNED = 1;
/** Milliseconds that each look for the reason may take. */
const SOON = 2000;

/** Why what was sent to a run is not taken: the server is away, or no worker answers. */
export async function notTaken(
  client: Client,
  id: string,
  asked: { since: number; cause: unknown },
): Promise<HoldfastError> {
  try {
    await whileThere(client, () => client.workflow.getHandle(id).describe());
  } catch (error) {
    const known = isPassing(error) ? orHoldfastError(error, id) : undefined;
    if (known instanceof HoldfastError && known.type === 'NoServer') return known;
  }
  return noWorker(client, id, asked);
}

/** Why no worker answers for a run: there is none, or the existing ones have been busy since `since` (milliseconds). */
export async function noWorker(
  client: Client,
  id: string,
  { since, cause, runId }: { since: number; cause: unknown; runId?: string | undefined },
): Promise<HoldfastError> {
  // The server may be away as well.
  const soon = <T>(ask: () => Promise<T>) => client.withDeadline(Date.now() + SOON, ask);
  const taskQueue = await soon(() => queueOf(client, id));
  const build = await soon(() => buildOf(client, id, runId));
  if (build !== undefined) return new HoldfastError('NoWorker', { taskQueue, build }, { cause });
  const workers = await soon(() => pollersOf(client, taskQueue));
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

/** The build that a run is pinned to: only its workers can answer, also for a run that has ended. */
async function buildOf(client: Client, id: string, runId: string | undefined): Promise<PinnedBuild | undefined> {
  try {
    const { raw } = await client.workflow.getHandle(id, runId).describe();
    const { behavior, deploymentVersion: version } = raw.workflowExecutionInfo?.versioningInfo ?? {};
    if (behavior !== PINNED || !version) return undefined;
    return { deployment: version.deploymentName ?? '', buildId: version.buildId ?? '' };
  } catch {
    return undefined;
  }
}
