import { type Client, WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import type { OwnedGrant } from '../../agent/approvals/approval';
import { APPROVALS } from '../../agent/protocol/entities/approvals';
import { defined } from '../../agent/values/defined';
import { pollers } from '../temporal/pollers';
import { type BookRun, readBook } from './read-book';

/** Marks, in its history, a book that ended only to continue on another task queue. */
const MOVED = `holdfast: moves to the task queue ${APPROVALS.taskQueue}`;
const CLOSE_EVENT = 2;

/**
 * The run of the workflow that keeps an agent's remembered decisions; `undefined` if nothing was ever remembered, or a
 * user ended it. The task queue of a running workflow cannot be changed: a book that an older version started on a
 * queue without pollers is ended, and started again under its id with everything that its history contains.
 */
export async function findBook(client: Client, agent: string): Promise<BookRun | undefined> {
  try {
    const { status, type, runId, taskQueue } = await client.workflow.getHandle(APPROVALS.idOf(agent)).describe();
    if (type !== APPROVALS.type) return undefined;
    const run = { agent, runId };
    if (status.name === 'TERMINATED') return (await hasMoved(client, run)) ? begin(client, run) : undefined;
    if (status.name !== 'RUNNING') return undefined;
    return taskQueue === APPROVALS.taskQueue || (await isServed(client, taskQueue)) ? run : await move(client, run);
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}

/** Whether a worker polls the task queue; also true if that is unknown. */
async function isServed(client: Client, taskQueue: string): Promise<boolean> {
  const { namespace } = client.options;
  const found = await pollers(client.connection, namespace, taskQueue).catch(() => undefined);
  return found === undefined || found.length > 0;
}

async function move(client: Client, run: BookRun): Promise<BookRun> {
  try {
    // Before it ends: an unreadable book stays where it is.
    await readBook(client, run);
    // By run id: the second caller that moves it ends nothing that the first has started.
    await client.workflow.getHandle(APPROVALS.idOf(run.agent), run.runId).terminate(MOVED);
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) return run;
  }
  return begin(client, run);
}

async function hasMoved(client: Client, { agent, runId }: BookRun): Promise<boolean> {
  const { history } = await client.workflowService.getWorkflowExecutionHistory({
    namespace: client.options.namespace,
    execution: { workflowId: APPROVALS.idOf(agent), runId },
    historyEventFilterType: CLOSE_EVENT,
  });
  return history?.events?.some((event) => event.workflowExecutionTerminatedEventAttributes?.reason === MOVED) ?? false;
}

/** Moves the book of an ended run, which can take no more decisions, into a new one. */
async function begin(client: Client, ended: BookRun): Promise<BookRun> {
  const { agent } = ended;
  const book = await readBook(client, ended);
  const options = { workflowId: APPROVALS.idOf(agent), taskQueue: APPROVALS.taskQueue };
  try {
    const { firstExecutionRunId: runId } = await client.workflow.start(APPROVALS.type, {
      ...options,
      args: [{ book: book.state() }],
      staticSummary: bookSummary(agent),
    });
    return { agent, runId };
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    // Another caller was as fast, or a decision started a new book: sending decisions twice changes nothing.
    for (const [owner, grants] of byOwner(book.list())) {
      await client.workflow.getHandle(options.workflowId).signal(APPROVALS.set, { grants, ...defined({ owner }) });
    }
    return { agent, runId: (await client.workflow.getHandle(options.workflowId).describe()).runId };
  }
}

function byOwner(grants: readonly OwnedGrant[]): Map<string | undefined, OwnedGrant[]> {
  const found = new Map<string | undefined, OwnedGrant[]>();
  for (const grant of grants) found.set(grant.owner, [...(found.get(grant.owner) ?? []), grant]);
  return found;
}

/** The summary of the workflow in the Web UI. */
export function bookSummary(agent: string): string {
  return `Remembered approvals of ${agent}`;
}
