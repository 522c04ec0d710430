import { Context } from '@temporalio/activity';
import { isGrpcServiceError, WorkflowNotFoundError } from '@temporalio/client';
import type { Log } from '../../../agent/define/context';
import { messageOf } from '../../../agent/errors/error';
import { ACTIVITY } from '../../../agent/protocol/activities';
import { CALL_SPENT, type CallSpent, SUMMARY_CALL } from '../../../agent/protocol/calls/call-spent';
import type { SpendingOfModel } from '../../../agent/protocol/calls/model-call';
import { decidesSince, SINCE } from '../../../agent/protocol/decisions';
import type { Manifest } from '../../../agent/protocol/manifest';

/** Tells the run of the activity in progress what the attempts of its model call have cost; returns whether it knows. */
export type TellRun = (spent: SpendingOfModel) => Promise<boolean>;

/** Milliseconds in which the server has to take it. */
const PATIENCE = 5000;

/** A call that first reached a worker without its agent is scheduled again, as `call-1~2`: to the run it is the same. */
const FURTHER_TRY = /~\d+$/;

/** Whether a run understands what it is told. To others it would be an unknown signal. */
export function hears(manifest: Pick<Manifest, 'decisions'>): boolean {
  return decidesSince({ manifest }, SINCE.hearsSpending);
}

/** A run that is not told only loses what is spent if it gives the call up before the next attempt begins. */
export function createTellRun(log: Pick<Log, 'warn'>): TellRun {
  return async (spent) => {
    const { client, info } = Context.current();
    const { workflowExecution: execution, activityType, activityId } = info;
    if (execution === undefined) return false;
    const call = activityType === ACTIVITY.compact ? SUMMARY_CALL : activityId.replace(FURTHER_TRY, '');
    const told: CallSpent = { call, spent };
    const handle = client.workflow.getHandle(execution.workflowId, execution.runId);
    try {
      await client.withDeadline(Date.now() + PATIENCE, () => handle.signal(CALL_SPENT, told));
      return true;
    } catch (error) {
      // A run that has ended counts no more.
      if (error instanceof WorkflowNotFoundError) return false;
      const why = isGrpcServiceError(error) ? error.details : messageOf(error);
      log.warn({ run: execution.workflowId, error: why }, 'A run was not told what a failed model call has cost.');
      return false;
    }
  };
}
