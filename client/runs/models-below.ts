import type { Client, WorkflowExecutionInfo } from '@temporalio/client';
import { HoldfastError } from '../../agent/errors/error';
import { listWorkflows } from '../requests/visibility';

/** Agents whose model does not answer that are looked at for a list of the runs of one agent. */
const MOST = 1000;
const WITHOUT_MODEL = "HoldfastAwaiting = 'model' AND ExecutionStatus = 'Running' AND HoldfastParent IS NOT NULL";

/** The fields of a workflow that are read here. */
export type Listed = Pick<
  WorkflowExecutionInfo,
  'workflowId' | 'status' | 'searchAttributes' | 'parentExecution' | 'rootExecution'
>;

/**
 * Runs above an agent whose model does not answer, at any depth. It is read from the rows of a list: the attributes of a run
 * say only what it waits for itself, since to tell the runs above would add events to their histories in each outage.
 */
export function aboveOutages(listed: readonly Listed[]): ReadonlySet<string> {
  const parents = new Map(listed.map(({ workflowId, parentExecution }) => [workflowId, parentExecution?.workflowId]));
  const above = new Set<string>();
  for (const { workflowId, status, rootExecution, searchAttributes } of listed) {
    // A run that was terminated could not clear its attribute.
    if (status.name !== 'RUNNING' || searchAttributes['HoldfastAwaiting']?.[0] !== 'model') continue;
    let id = parents.get(workflowId);
    while (id && !above.has(id)) {
      above.add(id);
      id = parents.get(id);
    }
    // A run between them may not be in the list.
    const root = rootExecution?.workflowId;
    if (root && root !== workflowId) above.add(root);
  }
  return above;
}

/** Agents of any name that wait for their model: a list of the runs of one agent has no others. */
export async function agentsInOutages(client: Client): Promise<Listed[]> {
  const found: Listed[] = [];
  try {
    for await (const info of listWorkflows(client, WITHOUT_MODEL)) if (found.push(info) >= MOST) break;
  } catch (error) {
    // Without the search attributes, runs do not say what they wait for.
    if (!(error instanceof HoldfastError && error.type === 'RunsNotListed')) throw error;
  }
  return found;
}
