import { defaultPayloadConverter } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import type { ToolOutcome } from '../../agent/activities';
import type { RunHandle } from '../../client/run-handle';
import type { AgentTestEnvironment } from '../kit/environment';

type Event = temporal.api.history.v1.IHistoryEvent;

export async function eventsOf(kit: AgentTestEnvironment, run: Pick<RunHandle, 'id'>): Promise<Event[]> {
  return (await kit.history(run)).events ?? [];
}

/** The whole text of a tool's result, as the event that bore it holds it: `activityId` is the toolUseId. */
export async function fullResult(
  kit: AgentTestEnvironment,
  run: Pick<RunHandle, 'id'>,
  toolUseId: string,
): Promise<string> {
  const events = await eventsOf(kit, run);
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

/** Bytes of history after each model call: entry n is what stood there when call n + 1 was scheduled. */
export async function bytesByTurn(kit: AgentTestEnvironment, run: Pick<RunHandle, 'id'>): Promise<number[]> {
  const sums: number[] = [];
  let sum = 0;
  for (const event of await eventsOf(kit, run)) {
    if (event.activityTaskScheduledEventAttributes?.activityId?.startsWith('call-')) sums.push(sum);
    sum += temporal.api.history.v1.HistoryEvent.encode(event).finish().length;
  }
  return sums;
}
