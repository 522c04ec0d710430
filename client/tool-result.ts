import type { Client } from '@temporalio/client';
import { decodeOptionalSinglePayload } from '@temporalio/common/lib/internal-non-workflow';
import type { ToolOutcome } from '../agent/activities';
import type { ContentPart } from '../agent/message';

/**
 * The whole result of a tool call, from the history event that bore it: what the model saw may be only its beginning.
 * `undefined` where the run has no such call, or it has no result.
 */
export async function wholeResult(client: Client, id: string, toolUseId: string): Promise<ContentPart[] | undefined> {
  const { events } = await client.workflow.getHandle(id).fetchHistory();
  const scheduled = events?.find((event) => event.activityTaskScheduledEventAttributes?.activityId === toolUseId);
  const completed = events
    ?.map((event) => event.activityTaskCompletedEventAttributes)
    .find((attributes) => attributes && String(attributes.scheduledEventId) === String(scheduled?.eventId));
  const [payload] = completed?.result?.payloads ?? [];
  const outcome = await decodeOptionalSinglePayload<ToolOutcome>(client.options.loadedDataConverter, payload);
  return outcome?.full ?? outcome?.content;
}
