import type { Client } from '@temporalio/client';
import { ACTIVITY } from '../../agent/protocol/activities';
import type { CallModelInput, CallModelResult } from '../../agent/protocol/calls/model-call';
import type { SentSection } from '../../agent/protocol/calls/sent-sections';
import type { HistoryEvent } from '../../runtime/chain/last-event';
import { readPayloads } from '../../runtime/payloads/read-payloads';
import { historiesOf, isCall } from '../feed/histories';

/** A model call as a history has it. */
export interface RecordedCall {
  input: CallModelInput;
  /** Missing: it is in progress, or it failed. */
  result?: CallModelResult;
  /** The sections of its turn message. Missing: they are not known yet, or the agent has none. */
  sections?: SentSection[];
}

/**
 * The last call of a turn, or of the run, from its histories, without a worker. `undefined` if there is none that the
 * server still has.
 */
export async function recordedCall(client: Client, id: string, turn?: number): Promise<RecordedCall | undefined> {
  for await (const events of historiesOf(client, id)) {
    const calls = events.filter((event) => isModelCall(event, turn));
    const last = calls.at(-1);
    const [input] = await readPayloads<CallModelInput>(client, scheduled(last)?.input?.payloads);
    if (last === undefined || input === undefined) continue;
    const result = await resultOf(client, events, last);
    if (result?.sections === undefined) return { input, ...(result && { result }) };
    const sections = result.sections.sent ?? (await sentBefore(client, events, result.sections.hash));
    return { input, result, ...(sections && { sections }) };
  }
  return undefined;
}

function isModelCall(event: HistoryEvent, turn?: number): boolean {
  const { activityType, activityId } = scheduled(event) ?? {};
  if (activityType?.name !== ACTIVITY.callModel) return false;
  return turn === undefined || isCall(activityId ?? '', `call-${turn}`);
}

/** The text of a turn message, from the last call of the history that sent it for the first time. */
async function sentBefore(
  client: Client,
  events: readonly HistoryEvent[],
  hash: string,
): Promise<SentSection[] | undefined> {
  for (const event of events.filter((one) => isModelCall(one)).reverse()) {
    const { sections } = (await resultOf(client, events, event)) ?? {};
    if (sections?.hash === hash && sections.sent !== undefined) return sections.sent;
  }
  return undefined;
}

async function resultOf(
  client: Client,
  events: readonly HistoryEvent[],
  call: HistoryEvent,
): Promise<CallModelResult | undefined> {
  const completed = events
    .map((event) => event.activityTaskCompletedEventAttributes)
    .find((attributes) => attributes && String(attributes.scheduledEventId) === String(call.eventId));
  return completed ? (await readPayloads<CallModelResult>(client, completed.result?.payloads))[0] : undefined;
}

function scheduled(event: HistoryEvent | undefined) {
  return event?.activityTaskScheduledEventAttributes;
}
