import { Context } from '@temporalio/activity';
import { type Client, isGrpcServiceError } from '@temporalio/client';
import { HoldfastError } from '../../agent/errors/error';
import type { Message } from '../../agent/model/message';
import {
  ACTIVITY,
  type BuildContextResult,
  type DescribeAgentResult,
  type Pinned,
  type ReadAgainInput,
  type ReadAgainResult,
} from '../../agent/protocol/activities';
import { type PinnedMessage, QUERY, type TranscriptPage } from '../../agent/protocol/queries';
import type { RunInput } from '../../agent/protocol/run';
import { defined } from '../../agent/values/defined';
import { isJsonObject, type Json, jsonBytes } from '../../agent/values/json';
import { readPayloads } from '../../runtime/payloads/read-payloads';
import { activityFailure } from '../failures/activity-failure';
import { interruptible } from '../heartbeat';
import type { PinStore } from './pins';
import { queryRun } from './query-run';

/** Bytes of one result: a payload has at most 2 MiB, and an encrypting codec needs room. */
const MAX_BYTES = 1_500_000;
/** INVALID_ARGUMENT and NOT_FOUND: the id is none, or the server has deleted the history. */
const UNKNOWN_RUN: ReadonlySet<number> = new Set([3, 5]);
/** Events of one page: each of the first ones may hold a large payload. */
const PAGE = 20;

/**
 * `holdfast.readAgain`: what an earlier run of the chain has pinned. It is read from that run's history, without its
 * workflow: a run whose code has changed since can be read as well.
 */
export function createReadAgain(pins: PinStore): (input: ReadAgainInput) => Promise<ReadAgainResult> {
  return (input) =>
    interruptible(async () => {
      const { client, info } = Context.current();
      const { runId, want, messages = [] } = input;
      const found = await readPinned(client, info.workflowExecution?.workflowId ?? '', input, () => {
        Context.current().heartbeat();
        return true;
      });
      if (want.includes('answer')) found.answer = await queryRun<Json>(runId, QUERY.answer, null);
      const result = fitting(found, want);
      const isComplete = want.every((what) => result[what] !== undefined);
      if (isComplete && messages.length > 0) result.messages = await readMessages(runId, messages, result);
      if (result.manifest !== undefined) pins.put(result.manifest);
      if (result.context !== undefined) pins.put(result.context);
      return result;
    });
}

/** As much of what is wanted as fits, but at least one. */
function fitting(found: ReadAgainResult, want: readonly Pinned[]): ReadAgainResult {
  let room = MAX_BYTES;
  const result: ReadAgainResult = {};
  for (const what of want) {
    const value = found[what];
    if (value === undefined) throw missing(what);
    room -= jsonBytes(value as Json);
    if (room < 0 && Object.keys(result).length > 0) break;
    Object.assign(result, { [what]: value });
  }
  return result;
}

function missing(what: string) {
  const problem = `the run before does not have its ${what}`;
  return activityFailure(new HoldfastError('InvalidCarriedState', { problem }));
}

function gone(runId: string) {
  const problem = `the server no longer has the history of the run ${runId}, which held the agent and the input`;
  return activityFailure(new HoldfastError('InvalidCarriedState', { problem }));
}

/** As many messages as fit beside what else was read; one at least, if it is alone. */
async function readMessages(
  runId: string,
  indices: readonly number[],
  beside: ReadAgainResult,
): Promise<PinnedMessage[]> {
  let room = MAX_BYTES - jsonBytes(beside as Json);
  const read: PinnedMessage[] = [];
  let page: TranscriptPage | undefined;
  for (const index of indices) {
    let message = page && messageIn(page, index);
    if (message === undefined) {
      page = await queryRun<TranscriptPage>(runId, QUERY.transcript, index);
      message = messageIn(page, index);
    }
    if (message === undefined) throw missing(`message ${index}`);
    room -= jsonBytes(message as unknown as Json);
    if (room < 0 && (read.length > 0 || Object.keys(beside).length > 0)) break;
    read.push({ index, message });
    Context.current().heartbeat();
  }
  return read;
}

function messageIn({ from, messages, pinned = [] }: TranscriptPage, index: number): Message | undefined {
  return messages[index - from] ?? pinned.find((one) => one.index === index)?.message;
}

/**
 * Reads a history from its beginning until it has found what is wanted.
 * @param goesOn whether to read another page of {@link PAGE} events
 */
export async function readPinned(
  client: Client,
  workflowId: string,
  { runId, want }: Pick<ReadAgainInput, 'runId' | 'want'>,
  goesOn: () => boolean,
): Promise<ReadAgainResult> {
  const found: ReadAgainResult = {};
  const types = new Map<string, string>();
  let nextPageToken: Uint8Array | undefined;
  do {
    const page = await client.workflowService
      .getWorkflowExecutionHistory({
        namespace: client.options.namespace,
        execution: { workflowId, runId },
        maximumPageSize: PAGE,
        ...defined({ nextPageToken }),
      })
      .catch((error: unknown) => {
        throw isGrpcServiceError(error) && UNKNOWN_RUN.has(error.code) ? gone(runId) : error;
      });
    for (const event of page.history?.events ?? []) {
      const started = event.workflowExecutionStartedEventAttributes;
      if (started) Object.assign(found, inputIn(await valuesOf(client, started.input?.payloads)));
      const scheduled = event.activityTaskScheduledEventAttributes;
      if (scheduled) types.set(String(event.eventId), scheduled.activityType?.name ?? '');
      const completed = event.activityTaskCompletedEventAttributes;
      const type = completed && types.get(String(completed.scheduledEventId));
      if (type !== undefined && type !== null && OURS.has(type)) {
        const [result] = await valuesOf(client, completed?.result?.payloads);
        Object.assign(found, pinnedIn(type, result));
      }
    }
    nextPageToken = page.nextPageToken?.length ? page.nextPageToken : undefined;
  } while (
    nextPageToken !== undefined &&
    goesOn() &&
    want.some((what) => what !== 'answer' && found[what] === undefined)
  );
  return found;
}

/** What a storage no longer has will not come back. While a storage is away, the activity is repeated. */
function valuesOf(client: Client, payloads: Parameters<typeof readPayloads>[1]): Promise<unknown[]> {
  return readPayloads(client, payloads).catch((error: unknown) => {
    if (!(error instanceof HoldfastError && error.type === 'StorageUnavailable')) throw error;
    throw activityFailure(new HoldfastError('InvalidCarriedState', { problem: error.message }));
  });
}

const OURS: ReadonlySet<string> = new Set([ACTIVITY.describeAgent, ACTIVITY.buildContext, ACTIVITY.readAgain]);

/** The input, if the run was not started by the one before it. */
function inputIn([given]: unknown[]): Pick<ReadAgainResult, 'input'> {
  if (!isJsonObject(given) || ('transcript' in given && 'runId' in given)) return {};
  // A plain client may start a run with the bare event.
  return { input: (given.specversion === undefined ? given : { event: given }) as RunInput };
}

function pinnedIn(type: string, result: unknown): ReadAgainResult {
  switch (type) {
    case ACTIVITY.describeAgent: {
      const { manifest, built } = result as DescribeAgentResult;
      return { manifest, ...defined({ context: built?.context }) };
    }
    case ACTIVITY.buildContext:
      return { context: (result as BuildContextResult).context };
    default: {
      const { answer: _, messages: __, ...pinned } = result as ReadAgainResult;
      return pinned;
    }
  }
}
