import type { Client } from '@temporalio/client';
import { HoldfastError } from '../../agent/errors/error';
import { ACTIVITY } from '../../agent/protocol/activities';
import { MISSING } from '../../agent/protocol/calls/missing';
import { pollers } from '../../runtime/temporal/pollers';
import { inLine } from './in-line';

/** What a run does, by its activity. Tools are shown by name. */
const WORK: { readonly [activity: string]: string } = {
  [ACTIVITY.describeAgent]: 'starting',
  [ACTIVITY.buildContext]: 'starting',
  [ACTIVITY.callModel]: 'asking the model',
  [ACTIVITY.buildOutput]: 'checking the answer',
};

/**
 * Milliseconds without a sign of life after which a worker counts as busy: it sends a heartbeat for each call every
 * second, and a workflow task takes some milliseconds.
 */
const SILENT = 5000;

interface Diagnosed {
  namespace: string;
  taskQueue: string;
  /** Milliseconds between heartbeats, from temporal.yaml. Default 1,000. */
  heartbeatInterval?: number;
}

/**
 * Why nothing happens in a run: its task queue has no worker, the worker is busy or lacks what the run needs, or an
 * activity fails repeatedly.
 */
export async function diagnose(client: Client, id: string, diagnosed: Diagnosed): Promise<string | undefined> {
  const silence = await silenceOf(client, id, diagnosed);
  if (silence !== undefined) return silence;
  const { raw } = await client.workflow.getHandle(id).describe();
  for (const pending of raw.pendingActivities ?? []) {
    const { activityType, attempt, lastFailure } = pending;
    const name = activityType?.name ?? '';
    const line = await inLine(client, pending);
    if (line !== undefined) return `${WORK[name] ?? name}: ${line}`;
    if (lastFailure?.message) return `${WORK[name] ?? name}: attempt ${attempt ?? 1}, ${lastFailure.message}`;
  }
  return raw.pendingActivities?.length ? undefined : missing(client, id, diagnosed.namespace);
}

/** Events at the end of a history among which the last activity is, between two tries. */
const LAST_EVENTS = 8;

/** What the worker that was tried last lacks. The run pauses before it tries again. */
async function missing(client: Client, id: string, namespace: string): Promise<string | undefined> {
  const { history } = await client.workflowService.getWorkflowExecutionHistoryReverse({
    namespace,
    execution: { workflowId: id },
    maximumPageSize: LAST_EVENTS,
  });
  for (const {
    activityTaskFailedEventAttributes: failed,
    activityTaskCompletedEventAttributes: completed,
  } of history?.events ?? []) {
    const failure = failed?.failure?.cause ?? failed?.failure;
    if (completed) return undefined;
    if (failed) return MISSING.has(failure?.applicationFailureInfo?.type) ? (failure?.message ?? undefined) : undefined;
  }
  return undefined;
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
