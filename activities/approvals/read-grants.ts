import { Context } from '@temporalio/activity';
import { WorkflowNotFoundError } from '@temporalio/client';
import { APPROVALS, type ReadGrantsInput, type ReadGrantsResult } from '../../agent/activities';
import { interruptible } from '../heartbeat';

/** Milliseconds that the questions may take: a worker that is there answers in some. */
const DEADLINE = 15_000;

/** `holdfast.readGrants`: which decisions hold already for runs of this agent and owner. Nobody ever remembered any: none. */
export function readGrants({ agent, owner, wanted }: ReadGrantsInput): Promise<ReadGrantsResult> {
  return interruptible(async () => {
    if (wanted.length === 0) return [];
    const { client } = Context.current();
    const cache = client.workflow.getHandle(APPROVALS.idOf(agent));
    return client.withDeadline(Date.now() + DEADLINE, async () => {
      try {
        const { status, type } = await cache.describe();
        // One that somebody ended still answers queries, but whoever ended it wanted its decisions gone.
        if (status.name !== 'RUNNING' || type !== APPROVALS.type) return wanted.map(() => null);
        const about = { wanted, ...(owner === undefined ? {} : { owner }) };
        return await cache.query<ReadGrantsResult, [typeof about]>(APPROVALS.get, about);
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return wanted.map(() => null);
        throw error;
      }
    });
  });
}
