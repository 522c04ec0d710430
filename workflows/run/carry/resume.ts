import { HoldfastError } from '../../../agent/errors/error';
import { TranscriptIndex, withGone } from '../../../agent/model/transcript';
import type { ReadAgainResult } from '../../../agent/protocol/activities';
import type { Manifest, RunContext } from '../../../agent/protocol/manifest';
import type { PinnedMessage } from '../../../agent/protocol/queries';
import type { RunInput } from '../../../agent/protocol/run';
import { CARRIED_VERSION, type CarriedRun } from '../../../agent/state/carried/carried';
import { carriedForm } from '../../../agent/state/carried/carried-form';
import { carriedStateOf } from '../../../agent/state/carried/carried-state';
import type { Phase } from '../../../agent/state/phase';
import type { AgentState } from '../../../agent/state/state';
import { defined } from '../../../agent/values/defined';
import { isJsonObject } from '../../../agent/values/json';
import { isNestedDeeper, MAX_PAYLOAD_DEPTH } from '../../../agent/values/json-depth';
import { readable } from '../../../agent/values/unreadable';
import { newState, withInput } from '../../state/first-state';

/**
 * A run that is started with a value which a run other than the one before it has written is a cron run or a workflow
 * retry. It starts over, from the input that the run `runId`, the one before it, began with.
 */
export type ReadCarried = { type: 'carried'; carried: CarriedRun } | { type: 'startOver'; runId: string };

/** Whether the argument of a run is a value that an earlier run wrote, of any version. */
export function isCarried(given: unknown): boolean {
  return isJsonObject(given) && 'transcript' in given && 'runId' in given;
}

/**
 * Checks the value with which continue-as-new started a Temporal run.
 * @param continuedFrom Temporal's id of the run before this one; `undefined` where there is none
 * @throws HoldfastError `UnknownStateVersion`, `InvalidCarriedState`, `UnreadablePayload`
 */
export function readCarried(given: unknown, continuedFrom: string | undefined): ReadCarried {
  readable(given, 'the state of the run before');
  // The code below recurses.
  if (isNestedDeeper(given, MAX_PAYLOAD_DEPTH)) return refuse(`it is nested deeper than ${MAX_PAYLOAD_DEPTH} levels`);
  if (!isJsonObject(given)) return refuse('it is not an object');
  const { version, runId } = given;
  if (typeof runId !== 'string' || runId === '') return refuse('Expected `runId` to be a non-empty string');
  if (continuedFrom === undefined) return refuse('no earlier run has written it; start the run with `{"input": …}`');
  if (runId !== continuedFrom) return { type: 'startOver', runId: continuedFrom };
  if (!Number.isSafeInteger(version)) return refuse('Expected `version` to be a whole number');
  if (version !== CARRIED_VERSION)
    throw new HoldfastError('UnknownStateVersion', { version: Number(version), known: CARRIED_VERSION });
  const problem = carriedForm(given, 'carried');
  if (problem !== undefined) return refuse(problem);
  // Its form has been checked above.
  const carried = given as unknown as CarriedRun;
  const misplaced = misplacedIn(carried);
  if (misplaced !== undefined) return refuse(misplaced);
  return { type: 'carried', carried };
}

/** What is wrong with the places of the messages, of which the run that carried them has noted the number. */
function misplacedIn({ transcript: { first, pinned, messages }, state: { chain } }: CarriedRun): string | undefined {
  const length = chain.at(-1)?.messages;
  if (first + messages.length !== length) {
    return `Expected \`carried.transcript\` to end with message ${length}, not ${first + messages.length}`;
  }
  const beyond = pinned.find(({ index }) => index >= first);
  return beyond && `Expected \`carried.transcript.pinned\` to come before message ${first}, not at ${beyond.index}`;
}

/** The state of a run that goes on in a new history, until it has read again what it had pinned. Pure. */
export function resumedState(carried: CarriedRun): AgentState {
  const { transcript, batch, waiting, effects, state } = carried;
  const messages = [...withGone(transcript.first, transcript.pinned), ...transcript.messages];
  const { id, agent, chainId } = state;
  return {
    ...newState({ id, agent, chainId }),
    ...carriedStateOf(state),
    ...waiting,
    phase: { at: 'starting' },
    messages,
    batch,
    effects,
  };
}

/** What is read from the run that wrote the value. */
export interface ReadAgain {
  manifest: Manifest;
  context: RunContext;
  /** What the first run of the chain was started with. */
  input: RunInput;
  /** From the memo, which Temporal passes on. */
  lineage?: string;
}

/** The fields that follow from what was read again. */
export function pinnedAgain(
  carried: CarriedRun,
  { manifest, context, input, lineage }: ReadAgain,
  { answer: data, messages: large = [] }: Pick<ReadAgainResult, 'answer' | 'messages'> = {},
): Partial<AgentState> & Pick<AgentState, 'phase'> {
  const { answer, runId } = carried;
  // `null` is an answer.
  const known = answer?.data === undefined ? data : answer.data;
  if (answer !== undefined && known === undefined) {
    refuse(`the answer of exchange ${answer.exchange} was not read from the run ${runId}`);
  }
  return {
    ...withInput(input, lineage),
    phase: phaseOf(carried),
    ...transcriptWith(large, carried),
    manifest,
    context,
    ...defined({ answer: answer && known !== undefined ? { exchange: answer.exchange, data: known } : undefined }),
  };
}

/** The phase in which the run before it stopped. */
export function phaseOf({ state, outage }: CarriedRun): Exclude<Phase, { at: 'starting' | 'ended' }> {
  return outage === undefined ? state.phase : { at: 'outage', ...outage };
}

/** Without the messages that stayed behind the hashes are others than in the run before. */
function transcriptWith(
  read: readonly PinnedMessage[],
  { transcript: { first, pinned, messages: rest, large = [] }, state: { epoch, sent }, runId }: CarriedRun,
): Pick<AgentState, 'messages' | 'sent'> {
  const messages = [...withGone(first, pinned), ...rest];
  for (const { index, message } of read) messages[index] = message;
  const missing = large.find((index) => !read.some((one) => one.index === index));
  if (missing !== undefined) refuse(`message ${missing} was not read from the run ${runId}`);
  if (sent.epoch !== epoch) return { messages, sent };
  return { messages, sent: new TranscriptIndex().ref(messages, epoch, sent.length) };
}

function refuse(problem: string): never {
  throw new HoldfastError('InvalidCarriedState', { problem });
}
