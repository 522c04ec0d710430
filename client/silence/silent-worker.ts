import type { Client } from '@temporalio/client';
import { HoldfastError } from '../../agent/errors/error';
import { pollers } from '../../runtime/temporal/pollers';

/**
 * Milliseconds without a sign of life after which a worker counts as busy: it sends a heartbeat for each call every
 * second, and a workflow task takes some milliseconds.
 */
const SILENT = 5000;

/** Where a run works. */
export interface Diagnosed {
  namespace: string;
  taskQueue: string;
  /** Milliseconds between heartbeats, from temporal.yaml. Default 1,000. */
  heartbeatInterval?: number;
}

/** Why no worker answers for a run: its task queue has none, or those that it has are busy. */
export async function silenceOf(
  client: Client,
  id: string,
  { namespace, taskQueue, heartbeatInterval = 1000 }: Diagnosed,
): Promise<string | undefined> {
  const workers = await pollers(client.connection, namespace, taskQueue);
  if (workers.length === 0) return new HoldfastError('NoWorker', { taskQueue }).message;
  const { raw } = await client.workflow.getHandle(id).describe();
  const since = silentSince(raw, SILENT + heartbeatInterval);
  if (since !== undefined) {
    const lost = [...since.workers].filter((worker) => workers.includes(worker));
    const busy = { workers: lost.length > 0 ? lost : workers, since: new Date(since.time).toISOString() };
    return new HoldfastError('NoWorker', { taskQueue, busy }).message;
  }
  return undefined;
}

type Described = Awaited<ReturnType<ReturnType<Client['workflow']['getHandle']>['describe']>>['raw'];

const ACTIVITY_STARTED = 2;
const TASK_STARTED = 2;

/** The last sign of life of the silent tasks of the run, and the workers that run them. */
function silentSince(
  { pendingActivities, pendingWorkflowTask }: Described,
  silent: number,
): { time: number; workers: Set<string> } | undefined {
  const signs = (pendingActivities ?? [])
    .filter(({ state }) => state === ACTIVITY_STARTED)
    .map(({ lastHeartbeatTime, lastStartedTime, lastWorkerIdentity }) => ({
      time: Math.max(millisecondsOf(lastHeartbeatTime), millisecondsOf(lastStartedTime)),
      worker: lastWorkerIdentity ?? '',
    }));
  if (pendingWorkflowTask?.state === TASK_STARTED)
    signs.push({ time: millisecondsOf(pendingWorkflowTask.startedTime), worker: '' });
  const old = signs.filter(({ time }) => time > 0 && Date.now() - time > silent);
  if (old.length === 0) return undefined;
  return { time: Math.max(...old.map(({ time }) => time)), workers: new Set(old.map(({ worker }) => worker)) };
}

function millisecondsOf(time: { seconds?: unknown; nanos?: number | null } | null | undefined): number {
  return Number(time?.seconds ?? 0) * 1000 + Number(time?.nanos ?? 0) / 1e6;
}
