import type { Client, WorkflowHandle } from '@temporalio/client';
import { decodeOptionalSinglePayload } from '@temporalio/common/lib/internal-non-workflow';
import type { ContentPart } from '../../agent/model/message';
import type { ToolOutcome } from '../../agent/protocol/tool-call';

type HistoryEvent = NonNullable<Awaited<ReturnType<WorkflowHandle['fetchHistory']>>['events']>[number];
type Payload = Parameters<typeof decodeOptionalSinglePayload>[1];

/**
 * The whole result of a tool call, from the history event that bore it: what the model saw may be only its beginning.
 * `undefined` where the run has no such call, or it has no result.
 */
export async function wholeResult(client: Client, id: string, toolUseId: string): Promise<ContentPart[] | undefined> {
  return (await wholeResults(client, id))(toolUseId);
}

/** The same for any number of calls, with the history fetched once. */
export async function wholeResults(client: Client, id: string) {
  const { events } = await client.workflow.getHandle(id).fetchHistory();
  const decode = <T>(payload: Payload) => decodeOptionalSinglePayload<T>(client.options.loadedDataConverter, payload);
  return async (toolUseId: string): Promise<ContentPart[] | undefined> => {
    const outcome = await decode<ToolOutcome>(resultOf(events ?? [], toolUseId));
    if (outcome?.full === undefined) return outcome?.content;
    return [...outcome.full, ...outcome.content.filter((part) => part.type === 'media')];
  };
}

function resultOf(events: readonly HistoryEvent[], toolUseId: string): Payload {
  // An MCP tool that asked a person was called again, as `t1.1-2`, one that a worker did not have as `t1.1~2`: the last of
  // these calls gave the result.
  const scheduled = events.findLast((event) => {
    const id = event.activityTaskScheduledEventAttributes?.activityId;
    return id?.startsWith(toolUseId) && /^(-\d+)?(~\d+)?$/.test(id.slice(toolUseId.length));
  });
  const completed = events
    .map((event) => event.activityTaskCompletedEventAttributes)
    .find((attributes) => attributes && String(attributes.scheduledEventId) === String(scheduled?.eventId));
  return completed?.result?.payloads?.[0];
}
