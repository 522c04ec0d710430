import { defaultPayloadConverter } from '@temporalio/common';
import type { ToolOutcome } from '../../agent/protocol/calls/tool-call';
import type { RunHandle } from '../../client/runs/run-handle';
import type { AgentTestEnvironment } from '../kit/environment';

/** The whole text of a tool's result, from the event that holds it: `activityId` is the toolUseId. */
export async function fullResult(
  kit: AgentTestEnvironment,
  run: Pick<RunHandle, 'id'>,
  toolUseId: string,
): Promise<string> {
  const events = (await kit.history(run)).events ?? [];
  const scheduled = events.find((event) => event.activityTaskScheduledEventAttributes?.activityId === toolUseId);
  const completed = events.find(
    ({ activityTaskCompletedEventAttributes: it }) =>
      it !== null && it !== undefined && String(it.scheduledEventId) === String(scheduled?.eventId),
  );
  const payload = completed?.activityTaskCompletedEventAttributes?.result?.payloads?.[0];
  if (!payload) throw new Error(`History has no result of ${toolUseId}`);
  const { content, full } = defaultPayloadConverter.fromPayload<ToolOutcome>(payload);
  return (full ?? content).map((part) => (part.type === 'text' ? part.text : '')).join('');
}
