import type { Client } from '@temporalio/client';
import type { HistoryEvent } from '../../runtime/chain/last-event';

/** `CONTINUE_AS_NEW_INITIATOR_WORKFLOW`: a schedule and a retry policy begin another chain, whose calls have the same ids. */
const BY_ITSELF = 1;

/**
 * The histories of a run, the newest first, until there is none that the server still has. Each is fetched when it is
 * asked for, without a worker.
 */
export async function* historiesOf(
  client: Client,
  id: string,
): AsyncGenerator<readonly HistoryEvent[], void, undefined> {
  let events: readonly HistoryEvent[] | undefined = await historyOf(client, id);
  while (events !== undefined) {
    yield events;
    const started: HistoryEvent['workflowExecutionStartedEventAttributes'] =
      events[0]?.workflowExecutionStartedEventAttributes;
    const runId: string | null | undefined =
      started?.initiator === BY_ITSELF ? started.continuedExecutionRunId : undefined;
    events = runId ? await historyOf(client, id, runId).catch(() => undefined) : undefined;
  }
}

async function historyOf(client: Client, id: string, runId?: string): Promise<readonly HistoryEvent[]> {
  return (await client.workflow.getHandle(id, runId).fetchHistory()).events ?? [];
}

/**
 * Whether an activity belongs to this call. An MCP tool that asked a person is called again as `t1.1-2`, a tool that a
 * worker did not have as `t1.1~2`, a model that failed as `call-1-2`.
 */
export function isCall(activityId: string, call: string): boolean {
  return activityId.startsWith(call) && /^(-\d+)?(~\d+)?$/.test(activityId.slice(call.length));
}
