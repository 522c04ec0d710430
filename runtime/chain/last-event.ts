import type { Client, WorkflowHandle } from '@temporalio/client';

export type HistoryEvent = NonNullable<Awaited<ReturnType<WorkflowHandle['fetchHistory']>>['events']>[number];

/** HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT: the answer is the last event of the run, and nothing before. */
const CLOSE_EVENT = 2;

/** The last event of a Temporal run that has closed; of an open one, the newest. */
export async function lastEvent(client: Client, workflowId: string, runId: string): Promise<HistoryEvent | undefined> {
  const ask = lastEventRequest(client, workflowId, runId);
  const { history } = await client.workflowService.getWorkflowExecutionHistory(ask);
  return history?.events?.at(-1);
}

export function lastEventRequest(client: Client, workflowId: string, runId: string) {
  return {
    namespace: client.options.namespace,
    execution: { workflowId, runId },
    historyEventFilterType: CLOSE_EVENT,
  };
}
