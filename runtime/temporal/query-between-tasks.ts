import { setTimeout as delay } from 'node:timers/promises';
import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import type { CompletedPart } from '../../agent/protocol/queries';

/** PENDING_WORKFLOW_TASK_STATE_STARTED. */
const STARTED = 2;
/** Milliseconds between two looks at a workflow task in progress. */
const FIRST_PAUSE = 5;
const LONGEST_PAUSE = 100;
/** Milliseconds to wait for the end of a workflow task: most take less than 50. */
const PATIENCE = 1000;

/** A run, or one of its histories. */
interface Asked {
  id: string;
  /** Default: the newest history. */
  runId?: string | undefined;
  /** Called with what was found before the query: its answer is at least as new. */
  onFound?: ((found: WorkflowExecutionDescription) => void) | undefined;
}

/**
 * Queries a run between two of its workflow tasks, where possible, and tells it which of its tasks are complete. The worker
 * would otherwise have to refuse some queries, and to replay the run for the next one: see `workflows/run/look-ahead`.
 */
export async function queryBetweenTasks<Answer>(
  client: Client,
  { id, runId, onFound }: Asked,
  name: string,
  argument: unknown,
) {
  const handle = client.workflow.getHandle(id, runId);
  const until = Date.now() + PATIENCE;
  let found = await handle.describe();
  for (let pause = FIRST_PAUSE; isInProgress(found) && Date.now() < until; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    await delay(pause);
    found = await handle.describe();
  }
  onFound?.(found);
  return handle.query<Answer, [unknown, CompletedPart?]>(name, argument, ...completedPart(found));
}

function isInProgress({ raw }: WorkflowExecutionDescription): boolean {
  return raw.pendingWorkflowTask?.state === STARTED;
}

/** The test server tells of no workflow tasks; it counts no transitions of its runs either. */
function completedPart(found: WorkflowExecutionDescription): CompletedPart[] {
  const { runId, historyLength, raw } = found;
  const tellsTasks = Number(raw.workflowExecutionInfo?.stateTransitionCount ?? 0) > 0;
  return tellsTasks && !isInProgress(found) ? [{ runId, events: historyLength }] : [];
}
