import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { HoldfastError } from '../../agent/errors/error';
import { archiveOf } from '../../runtime/storage/archiving-storage';
import { orHoldfastError } from '../requests/client-error';
import { is, listWorkflows } from '../requests/visibility';

/**
 * Deletes a run that has ended, with its history, and earlier runs with the same id, such as those before a reset. Also what the
 * archive has of them.
 * @throws HoldfastError `RunNotEnded`, `RunNotFound`, `NoServer`, `StorageUnavailable`
 */
export async function deleteRun(client: Client, id: string): Promise<void> {
  try {
    const { runId, status } = await client.workflow.getHandle(id).describe();
    // The server would delete it anyway, and its activities would go on without a record.
    if (status.name === 'RUNNING') throw new HoldfastError('RunNotEnded', { id });
    const { namespace } = client.options;
    for (const run of new Set([...(await earlierRuns(client, id)), runId])) {
      await client.workflowService.deleteWorkflowExecution({
        namespace,
        workflowExecution: { workflowId: id, runId: run },
      });
    }
    await archiveOf(client)?.remove(client, id);
  } catch (error) {
    // Of a run that the server has deleted already, the archive may be left.
    const isGone = error instanceof WorkflowNotFoundError;
    if (isGone && (await archiveOf(client)?.remove(client, id)) === true) return;
    throw orHoldfastError(error, id);
  }
}

/** Once the newest is gone, the server knows the others only by their run ids: they would be listed forever. */
async function earlierRuns(client: Client, id: string): Promise<string[]> {
  const [condition] = is('WorkflowId', id);
  const found: string[] = [];
  if (condition === undefined) return found;
  try {
    for await (const { workflowId, runId, status } of listWorkflows(client, condition)) {
      // Some stores ignore case.
      if (workflowId === id && status.name !== 'RUNNING') found.push(runId);
    }
  } catch (error) {
    if (!(error instanceof HoldfastError && error.type === 'RunsNotListed')) throw error;
  }
  return found;
}
