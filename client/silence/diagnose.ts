import type { Client } from '@temporalio/client';
import { ACTIVITY } from '../../agent/protocol/activities';
import { MISSING } from '../../agent/protocol/calls/missing';
import { outageText, waysByCommand } from '../../agent/state/outage-text';
import { soon } from '../requests/soon';
import { isAgent, ownPending } from '../waits/waiting';
import { agentBelowText } from './agent-below-text';
import { inLine } from './in-line';
import { type Diagnosed, silenceOf } from './silent-worker';
import { unworkedService } from './unworked-service';

/** What a run does, by its activity. Tools are shown by name. */
const WORK: { readonly [activity: string]: string } = {
  [ACTIVITY.describeAgent]: 'starting',
  [ACTIVITY.buildContext]: 'starting',
  [ACTIVITY.callModel]: 'asking the model',
  [ACTIVITY.buildOutput]: 'checking the answer',
};

/** Milliseconds that a worker may take to say what a run waits for. */
const SOON = 2000;
/** Agents and services at work for one run that are looked at. */
const BELOW = 20;

/**
 * Why nothing happens in a run: its task queue has no worker, the worker is busy or lacks what the run needs, an activity
 * fails repeatedly, its model gives no answer, a service has no worker, or one of these
 * holds up an agent that works for it, at any depth.
 */
export async function diagnose(client: Client, id: string, diagnosed: Diagnosed): Promise<string | undefined> {
  const found = await findProblem(client, id, diagnosed);
  if (found === undefined) return undefined;
  return found.id === id ? found.problem : agentBelowText(found, found.problem);
}

/** A run that is held up. */
interface HeldUp {
  id: string;
  agent: string;
  problem: string;
}

async function findProblem(client: Client, id: string, diagnosed: Diagnosed): Promise<HeldUp | undefined> {
  const [silence, { raw, type: agent }] = await soon(client, async () => [
    await silenceOf(client, id, diagnosed),
    await client.workflow.getHandle(id).describe(),
  ]);
  if (silence !== undefined) return { id, agent, problem: silence };
  const activities = raw.pendingActivities ?? [];
  for (const pending of activities) {
    const { activityType, attempt, lastFailure } = pending;
    const name = activityType?.name ?? '';
    const line = await inLine(client, pending);
    const why = line ?? (lastFailure?.message ? `attempt ${attempt ?? 1}, ${lastFailure.message}` : undefined);
    if (why !== undefined) return { id, agent, problem: `${WORK[name] ?? name}: ${why}` };
  }
  // It works: what it waits for comes later.
  if (activities.some(({ activityType }) => (activityType?.name ?? '') in WORK)) return undefined;
  const lacking = activities.length > 0 ? undefined : await missing(client, id, diagnosed.namespace);
  if (lacking !== undefined) return { id, agent, problem: lacking };
  return findWait(client, { id, agent }, diagnosed);
}

/** The model of a run that gives no answer, or the first agent or service below it that is held up. */
async function findWait(
  client: Client,
  { id, agent }: Omit<HeldUp, 'problem'>,
  diagnosed: Diagnosed,
): Promise<HeldUp | undefined> {
  const pending = await ownPending(client, id, { workerTimeout: SOON }).catch(() => undefined);
  const [model] = pending?.models ?? [];
  if (model !== undefined) {
    return { id, agent: model.agent, problem: outageText(model, { ways: waysByCommand(id) }) };
  }
  const services = (pending?.services ?? []).slice(0, BELOW);
  const found = await Promise.all(
    services.map(async (service) => {
      if (isAgent(service)) return findBelow(client, service.ref, diagnosed);
      const problem = service.kind === 'child' ? await unworkedService(client, service, diagnosed) : undefined;
      return problem === undefined ? undefined : { id, agent, problem };
    }),
  );
  return found.find((held) => held !== undefined);
}

/** An agent may work on another task queue, not have begun, or have just ended. */
async function findBelow(client: Client, id: string, diagnosed: Diagnosed): Promise<HeldUp | undefined> {
  try {
    const { taskQueue, status } = await client.workflow.getHandle(id).describe();
    return status.name === 'RUNNING' ? await findProblem(client, id, { ...diagnosed, taskQueue }) : undefined;
  } catch {
    return undefined;
  }
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
