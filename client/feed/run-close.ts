import { type Client, isGrpcServiceError, type WorkflowHandle } from '@temporalio/client';
import { unlessAborted } from '../requests/unless-aborted';

export type HistoryEvent = NonNullable<Awaited<ReturnType<WorkflowHandle['fetchHistory']>>['events']>[number];

/** Milliseconds of one long poll; the server itself gives up after 20 s. */
const DEADLINE = 40_000;
/** HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT: the answer is the last event of the run, and nothing before. */
const CLOSE_EVENT = 2;

/** Whether a failure of the server or of the way to it passes by itself: DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, UNAVAILABLE. */
export function isPassing(error: unknown): boolean {
  const grpc = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return isGrpcServiceError(grpc) && [4, 8, 14].includes(grpc.code);
}

/**
 * Resolves when a Temporal run has closed, by the server's long poll. The time-skipping test server has none that ends before
 * its time-out: do not use it there.
 */
export async function closeOf(client: Client, workflowId: string, runId: string, signal: AbortSignal): Promise<void> {
  const ask = { ...requestFor(client, workflowId, runId), waitNewEvent: true };
  for (;;) {
    try {
      const { history } = await unlessAborted(client, signal, () =>
        client.withDeadline(Date.now() + DEADLINE, () => client.workflowService.getWorkflowExecutionHistory(ask)),
      );
      if ((history?.events?.length ?? 0) > 0) return;
    } catch (error) {
      if (signal.aborted || !isPassing(error)) throw error;
    }
  }
}

/** The last event of a Temporal run that has closed; of an open one, the newest. */
export async function lastEvent(client: Client, workflowId: string, runId: string): Promise<HistoryEvent | undefined> {
  const ask = requestFor(client, workflowId, runId);
  const { history } = await client.workflowService.getWorkflowExecutionHistory(ask);
  return history?.events?.at(-1);
}

function requestFor(client: Client, workflowId: string, runId: string) {
  return {
    namespace: client.options.namespace,
    execution: { workflowId, runId },
    historyEventFilterType: CLOSE_EVENT,
  };
}
