import { status as GrpcStatus } from '@grpc/grpc-js';
import { Context } from '@temporalio/activity';
import { isGrpcServiceError } from '@temporalio/client';
import { ACTIVITY, type WakeCallResult } from '../../agent/protocol/activities';

/** Temporal's number for an activity that no worker has: it waits for its next attempt. */
const SCHEDULED = 1;

/** The server cannot do it (before 1.28, or a test server), or the attempt has just begun. */
const NOT_DONE: ReadonlySet<number> = new Set([GrpcStatus.UNIMPLEMENTED, GrpcStatus.NOT_FOUND]);

/**
 * `holdfast.wakeCall`: makes the next attempt of the run's model call at once, if the call failed and waits for it. What its
 * attempts have passed on is kept.
 */
export async function wakeCall(): Promise<WakeCallResult> {
  const { client, info } = Context.current();
  const { workflowExecution: execution, namespace } = info;
  if (execution === undefined) return { ok: false };
  const { raw } = await client.workflow.getHandle(execution.workflowId, execution.runId).describe();
  const id = (raw.pendingActivities ?? []).find(
    ({ activityType, state, attempt }) =>
      activityType?.name === ACTIVITY.callModel && state === SCHEDULED && (attempt ?? 1) > 1,
  )?.activityId;
  if (!id) return { ok: false };
  try {
    const { identity } = client.options;
    await client.workflowService.resetActivity({ namespace, execution, identity, id });
    return { ok: true };
  } catch (error) {
    if (isGrpcServiceError(error) && NOT_DONE.has(error.code)) return { ok: false };
    throw error;
  }
}
