import { Context } from '@temporalio/activity';
import type { WriteGrantsInput } from '../../agent/protocol/activities';
import { APPROVALS } from '../../agent/protocol/entities/approvals';
import { defined } from '../../agent/values/defined';
import { bookSummary, findBook } from '../../runtime/grants/find-book';
import { interruptible } from '../heartbeat';

/**
 * `holdfast.writeGrants`: keeps decisions for all runs of this agent and owner. Repeating it changes nothing. It needs
 * no worker: the server keeps a decision until a worker takes it.
 */
export function writeGrants({ agent, owner, grants }: WriteGrantsInput): Promise<void> {
  return interruptible(async () => {
    if (grants.length === 0) return;
    const { client } = Context.current();
    // First: a book that ended in order to move would not take its decisions along once another book has started.
    await findBook(client, agent);
    await client.workflow.signalWithStart(APPROVALS.type, {
      workflowId: APPROVALS.idOf(agent),
      taskQueue: APPROVALS.taskQueue,
      signal: APPROVALS.set,
      signalArgs: [{ grants, ...defined({ owner }) }],
      staticSummary: bookSummary(agent),
    });
  });
}
