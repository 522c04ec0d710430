import { Context } from '@temporalio/activity';
import { isGrpcServiceError } from '@temporalio/client';
import type { Spending } from '../../agent/model/cost/spending';
import { spendingOf } from '../../agent/model/cost/spending-of';
import { ACTIVITY, type WakeCallResult } from '../../agent/protocol/activities';
import { defined } from '../../agent/values/defined';
import { readPayloads } from '../../runtime/payloads/read-payloads';
import { isNotFound } from '../../runtime/temporal/not-found';

/** Temporal's numbers for an activity that no worker has, which waits for its next attempt, and for one that a worker has. */
const SCHEDULED = 1;
const STARTED = 2;

/** Of gRPC: the server cannot do it (before 1.28, or a test server). */
const UNIMPLEMENTED = 12;

/**
 * `holdfast.wakeCall`: makes the next attempt of the run's model call at once, if the call failed and waits for it. What its
 * attempts have passed on is kept.
 */
export async function wakeCall(): Promise<WakeCallResult> {
  const call = await failedCall();
  if (call === undefined) return { ok: false };
  const { isBeingMade, execution, id } = call;
  if (isBeingMade) return { ok: true, isBeingMade };
  const { client, info } = Context.current();
  try {
    const { identity } = client.options;
    await client.workflowService.resetActivity({ namespace: info.namespace, execution, identity, id });
    return { ok: true };
  } catch (error) {
    // The activity has just ended.
    if (isNotFound(error)) return { ok: false };
    if (isGrpcServiceError(error) && error.code === UNIMPLEMENTED) return { ok: false };
    throw error;
  }
}

interface FailedCall {
  execution: { workflowId: string; runId: string };
  /** Of its activity. */
  id: string;
  /** A worker makes its next attempt. Otherwise it waits for that. */
  isBeingMade: boolean;
  /** What its attempts have cost so far. Missing: nothing. */
  spent?: Spending;
}

/** The model call of the run that this activity belongs to, if an attempt of it has failed. */
export async function failedCall(): Promise<FailedCall | undefined> {
  const { client, info } = Context.current();
  const { workflowExecution: execution } = info;
  if (execution === undefined) return undefined;
  const { raw } = await client.workflow.getHandle(execution.workflowId, execution.runId).describe();
  const call = (raw.pendingActivities ?? []).find(
    ({ activityType, attempt }) => activityType?.name === ACTIVITY.callModel && (attempt ?? 1) > 1,
  );
  const { activityId: id, state, heartbeatDetails } = call ?? {};
  if (!id || (state !== STARTED && state !== SCHEDULED)) return undefined;
  // The switch must not fail for want of its cost: details that this worker cannot read count as none.
  const [said] = await readPayloads(client, heartbeatDetails?.payloads).catch(() => []);
  return { execution, id, isBeingMade: state === STARTED, ...defined({ spent: spendingOf(said) }) };
}
