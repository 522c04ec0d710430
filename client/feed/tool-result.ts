import type { Client } from '@temporalio/client';
import type { ContentPart } from '../../agent/model/message';
import type { CallModelResult } from '../../agent/protocol/calls/model-call';
import type { ToolOutcome } from '../../agent/protocol/calls/tool-call';
import { readPayloads } from '../../runtime/payloads/read-payloads';
import type { HistoryEvent } from './run-close';

type Payloads = Parameters<typeof readPayloads>[1];

/** `CONTINUE_AS_NEW_INITIATOR_WORKFLOW`: a schedule and a retry policy begin another chain, whose calls have the same ids. */
const BY_ITSELF = 1;

/**
 * The full result of a tool call, from its history event: the model may have seen only the beginning.
 * `undefined` if the run has no such call, or the call has no result.
 */
export async function wholeResult(client: Client, id: string, toolUseId: string): Promise<ContentPart[] | undefined> {
  return (await wholeResults(client, id))(toolUseId);
}

/** The same for any number of calls. Each history of the chain is fetched once, the newest first. */
export async function wholeResults(client: Client, id: string) {
  const histories = [await historyOf(client, id)];

  /** The next older history, for which no worker is needed; `undefined` where there is none that the server still has. */
  async function olderHistory(): Promise<readonly HistoryEvent[] | undefined> {
    const started = histories.at(-1)?.[0]?.workflowExecutionStartedEventAttributes;
    const runId = started?.initiator === BY_ITSELF ? started.continuedExecutionRunId : undefined;
    return runId ? historyOf(client, id, runId).catch(() => undefined) : undefined;
  }

  async function resultOf<T>(isIt: (activityId: string) => boolean): Promise<T | undefined> {
    for (let i = 0; ; i++) {
      const events = histories[i] ?? (await olderHistory());
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

async function historyOf(client: Client, id: string, runId?: string): Promise<readonly HistoryEvent[]> {
  return (await client.workflow.getHandle(id, runId).fetchHistory()).events ?? [];
}

function partsOf(outcome: ToolOutcome | undefined): ContentPart[] | undefined {
  if (outcome?.full === undefined) return outcome?.content;
  return [...outcome.full, ...outcome.content.filter((part) => part.type === 'media')];
}

/**
 * Whether an activity belongs to this call. An MCP tool that asked a person is called again as `t1.1-2`, a tool that a
 * worker did not have as `t1.1~2`, a model that failed as `call-1-2`.
 */
function isCall(activityId: string, call: string): boolean {
  return activityId.startsWith(call) && /^(-\d+)?(~\d+)?$/.test(activityId.slice(call.length));
}

/** The result of the last of these activities. */
function lastResult(events: readonly HistoryEvent[], isIt: (activityId: string) => boolean): Payloads {
  const scheduled = events.findLast((event) => isIt(event.activityTaskScheduledEventAttributes?.activityId ?? ''));
  const completed = events
    .map((event) => event.activityTaskCompletedEventAttributes)
    .find((attributes) => attributes && String(attributes.scheduledEventId) === String(scheduled?.eventId));
  return completed?.result?.payloads;
}
