import type { Client } from '@temporalio/client';
import { readPayloads } from '../../../runtime/payloads/read-payloads';
import { isNotFound } from '../../../runtime/temporal/not-found';

/**
 * The agent of a run, and what its first Temporal run was started with. Where the server no longer has that one, the input
 * is what the newest run of the chain was given.
 */
export async function firstStartOf(client: Client, workflowId: string): Promise<{ agent: string; input: unknown }> {
  const { raw, runId } = await client.workflow.getHandle(workflowId).describe();
  const firstRunId = raw.workflowExecutionInfo?.firstRunId || runId;
  if (firstRunId === runId) return startOf(client, { workflowId, runId });
  return startOf(client, { workflowId, runId: firstRunId }).catch((error: unknown) => {
    // The server has deleted the history of the first run, after the retention period.
    if (!isNotFound(error)) throw error;
    return startOf(client, { workflowId, runId });
  });
}

async function startOf(
  client: Client,
  execution: { workflowId: string; runId: string },
): Promise<{ agent: string; input: unknown }> {
  const { history } = await client.workflowService.getWorkflowExecutionHistory({
    namespace: client.options.namespace,
    execution,
    maximumPageSize: 1,
  });
  const start = history?.events?.[0]?.workflowExecutionStartedEventAttributes;
  const [input] = await readPayloads(client, start?.input?.payloads);
  return { agent: start?.workflowType?.name ?? '', input };
}
