import { Context } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import type { GrantBook } from '../../agent/approvals/grant-book';
import type { ReadGrantsInput, ReadGrantsResult } from '../../agent/protocol/activities';
import { APPROVALS } from '../../agent/protocol/entities/approvals';
import { defined } from '../../agent/values/defined';
import { findBook } from '../../runtime/grants/find-book';
import { type BookRun, readBook } from '../../runtime/grants/read-book';
import { interruptible } from '../heartbeat';

/** Milliseconds for the whole activity. The run gives up after 3,000, and should still learn why. */
const DEADLINE = 2700;
/**
 * Milliseconds for the workflow to answer. A live worker answers within a few; a worker that has just died is not
 * waited for.
 */
const QUERY_DEADLINE = 1000;

/** State of a workflow task. */
const STARTED = 2;

/** `holdfast.readGrants`: which decisions already hold for runs of this agent and owner. */
export function readGrants({ agent, owner, wanted }: ReadGrantsInput): Promise<ReadGrantsResult> {
  return interruptible(async () => {
    if (wanted.length === 0) return [];
    const { client } = Context.current();
    return client.withDeadline(Date.now() + DEADLINE, async () => {
      const book = await findBook(client, agent);
      if (book === undefined) return wanted.map(() => null);
      return asked(client, { agent, wanted, ...defined({ owner }) }).catch(async () => {
        const read = await readWhole(client, book);
        return wanted.map(({ tool, key }) => read.find(owner, tool, key));
      });
    });
  });
}

function asked(client: Client, { agent, ...about }: ReadGrantsInput): Promise<ReadGrantsResult> {
  const handle = client.workflow.getHandle(APPROVALS.idOf(agent));
  return client.withDeadline(Date.now() + QUERY_DEADLINE, () =>
    handle.query<ReadGrantsResult, [typeof about]>(APPROVALS.get, about),
  );
}

/**
 * While a worker holds a task of the workflow, its history may lack signals: the server adds them when the task ends.
 */
async function readWhole(client: Client, book: BookRun): Promise<GrantBook> {
  const { raw } = await client.workflow.getHandle(APPROVALS.idOf(book.agent), book.runId).describe();
  if (raw.pendingWorkflowTask?.state === STARTED) throw new Error('A worker has not answered yet.');
  return readBook(client, book);
}
