import type { Client } from '@temporalio/client';
import type { ContentPart } from '../../agent/model/message';
import type { CallModelResult } from '../../agent/protocol/calls/model-call';
import type { ToolOutcome } from '../../agent/protocol/calls/tool-call';
import type { HistoryEvent } from '../../runtime/chain/last-event';
import { readPayloads } from '../../runtime/payloads/read-payloads';
import { historiesOf, isCall } from './histories';

type Payloads = Parameters<typeof readPayloads>[1];

/**
 * The full result of a tool call, from its history event: the model may have seen only the beginning.
 * `undefined` if the run has no such call, or the call has no result.
 */
export async function wholeResult(client: Client, id: string, toolUseId: string): Promise<ContentPart[] | undefined> {
  return (await wholeResults(client, id))(toolUseId);
}

/** The same for any number of calls. Each history of the chain is fetched once, the newest first. */
export async function wholeResults(client: Client, id: string) {
  const older = historiesOf(client, id);
  const first = await older.next();
  const histories = first.done ? [] : [first.value];

  async function resultOf<T>(isIt: (activityId: string) => boolean): Promise<T | undefined> {
    for (let i = 0; ; i++) {
      const next = histories[i] === undefined ? await older.next() : undefined;
      const events = histories[i] ?? (next?.done === false ? next.value : undefined);
      if (events === undefined) return undefined;
      histories[i] ??= events;
      const payloads = lastResult(events, isIt);
      if (payloads !== undefined) return (await readPayloads<T>(client, payloads))[0];
    }
  }

  return async (toolUseId: string): Promise<ContentPart[] | undefined> => {
    const own = await resultOf<ToolOutcome>((id) => isCall(id, toolUseId));
    return partsOf(own ?? (await withAnswer(toolUseId)));
  };

  /** A quick read ran in the activity that called the model, and its result came with the answer. */
  async function withAnswer(toolUseId: string): Promise<ToolOutcome | undefined> {
    const turn = /^t(\d+)\./.exec(toolUseId)?.[1];
    const answer = await resultOf<CallModelResult>((id) => isCall(id, `call-${turn}`));
    return answer?.results?.find((result) => result.toolUseId === toolUseId)?.outcome;
  }
}

function partsOf(outcome: ToolOutcome | undefined): ContentPart[] | undefined {
  if (outcome?.full === undefined) return outcome?.content;
  return [...outcome.full, ...outcome.content.filter((part) => part.type === 'media')];
}

/** The result of the last of these activities. */
function lastResult(events: readonly HistoryEvent[], isIt: (activityId: string) => boolean): Payloads {
  const scheduled = events.findLast((event) => isIt(event.activityTaskScheduledEventAttributes?.activityId ?? ''));
  const completed = events
    .map((event) => event.activityTaskCompletedEventAttributes)
    .find((attributes) => attributes && String(attributes.scheduledEventId) === String(scheduled?.eventId));
  return completed?.result?.payloads;
}
