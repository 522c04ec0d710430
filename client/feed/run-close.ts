import type { Client } from '@temporalio/client';
import { lastEventRequest } from '../../runtime/chain/last-event';
import { unlessAborted } from '../../runtime/temporal/unless-aborted';
import { isPassing } from '../requests/client-error';

/** Milliseconds of one long poll; the server itself gives up after 20 s. */
const DEADLINE = 40_000;

/**
 * Resolves when a Temporal run has closed, by the server's long poll. The time-skipping test server has none that ends before
 * its time-out: do not use it there.
 */
export async function closeOf(client: Client, workflowId: string, runId: string, signal: AbortSignal): Promise<void> {
  const ask = { ...lastEventRequest(client, workflowId, runId), waitNewEvent: true };
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
