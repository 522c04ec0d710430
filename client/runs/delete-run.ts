import type { Client } from '@temporalio/client';
import { HoldfastError } from '../../agent/errors/error';
import { orHoldfastError } from '../requests/client-error';
import { is, listWorkflows } from '../requests/visibility';

/**
 * Deletes a run that has ended, with its history, and earlier runs of the same id: those before a reset, say.
 * @throws HoldfastError `RunNotEnded`, `RunNotFound`, `NoServer`
 */
export async function deleteRun(client: Client, id: string): Promise<void> {
  try {
    const { runId, status } = await client.workflow.getHandle(id).describe();
    // The server would delete it all the same, and what it does in the world would go on without a record.
    if (status.name === 'RUNNING') throw new HoldfastError('RunNotEnded', { id });
    const { namespace } = client.options;
    for (const run of new Set([...(await earlierRuns(client, id)), runId])) {
      await client.workflowService.deleteWorkflowExecution({
        namespace,
        workflowExecution: { workflowId: id, runId: run },
      });
    }
  } catch (error) {
    throw orHoldfastError(error, id);
  }
}

/** Once the newest is gone the server knows the others by their own ids alone: they would be listed for ever. */
async function earlierRuns(client: Client, id: string): Promise<string[]> {
  const [condition] = is('WorkflowId', id);
  const found: string[] = [];
  if (condition === undefined) return found;
  try {
    for await (const { workflowId, runId, status } of listWorkflows(client, condition)) {
      // Some stores compare without regard to case.
      if (workflowId === id && status.name !== 'RUNNING') found.push(runId);
    }
  } catch (error) {
    if (!(error instanceof HoldfastError && error.type === 'RunsNotListed')) throw error;
  }
  return found;
}
