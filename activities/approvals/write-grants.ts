import { Context } from '@temporalio/activity';
import { APPROVALS, type WriteGrantsInput } from '../../agent/activities';
import { interruptible } from '../heartbeat';

/** `holdfast.writeGrants`: keeps decisions for all runs of this agent and owner. To do it twice changes nothing. */
export function writeGrants({ agent, owner, grants }: WriteGrantsInput): Promise<void> {
  return interruptible(async () => {
    if (grants.length === 0) return;
    const { client, info } = Context.current();
    await client.workflow.signalWithStart(APPROVALS.type, {
      workflowId: APPROVALS.idOf(agent),
      taskQueue: info.taskQueue,
      signal: APPROVALS.set,
      signalArgs: [{ grants, ...(owner === undefined ? {} : { owner }) }],
      staticSummary: `Remembered approvals of ${agent}`,
    });
  });
}
