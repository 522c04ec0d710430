import { Context } from '@temporalio/activity';
import { isGrpcServiceError } from '@temporalio/client';
import { ACTIVITY, type WakeCallResult } from '../../agent/protocol/activities';

/** Temporal's numbers for an activity that no worker has, which waits for its next attempt, and for one that a worker has. */
const SCHEDULED = 1;
const STARTED = 2;

/** Of gRPC: the server cannot do it (before 1.28, or a test server), and the activity has just ended. */
const UNIMPLEMENTED = 12;
const NOT_FOUND = 5;

/**
 * `holdfast.wakeCall`: makes the next attempt of the run's model call at once, if the call failed and waits for it. What its
 * attempts have passed on is kept.
 */
export async function wakeCall(): Promise<WakeCallResult> {
  const { client, info } = Context.current();
  const { workflowExecution: execution, namespace } = info;
  if (execution === undefined) return { ok: false };
  const { raw } = await client.workflow.getHandle(execution.workflowId, execution.runId).describe();
  const call = (raw.pendingActivities ?? []).find(
    ({ activityType, attempt }) => activityType?.name === ACTIVITY.callModel && (attempt ?? 1) > 1,
  );
  if (call?.state === STARTED) return { ok: true, isBeingMade: true };
  const id = call?.activityId;
  if (call?.state !== SCHEDULED || !id) return { ok: false };
  try {
    const { identity } = client.options;
    await client.workflowService.resetActivity({ namespace, execution, identity, id });
    return { ok: true };
  } catch (error) {
    const isNotDone = isGrpcServiceError(error) && (error.code === UNIMPLEMENTED || error.code === NOT_FOUND);
    if (isNotDone) return { ok: false };
    throw error;
  }
}
