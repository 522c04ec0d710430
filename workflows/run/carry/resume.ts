import { HoldfastError } from '../../../agent/errors/error';
import { EMPTY_HASH } from '../../../agent/model/transcript';
import type { Manifest, RunContext } from '../../../agent/protocol/manifest';
import type { RunInput } from '../../../agent/protocol/run';
import { CARRIED_VERSION, type CarriedRun, type CarriedUpdate } from '../../../agent/state/carried/carried';
import { carriedForm } from '../../../agent/state/carried/carried-form';
import { carriedStateOf } from '../../../agent/state/carried/carried-state';
import type { AgentState } from '../../../agent/state/state';
import { defined } from '../../../agent/values/defined';
import { isJsonObject, type Json } from '../../../agent/values/json';
import { isNestedDeeper, MAX_PAYLOAD_DEPTH } from '../../../agent/values/json-depth';
import { readable } from '../../../agent/values/unreadable';
import { withInput } from '../../state/first-state';

/**
 * A run that is started with a value which a run other than the one before it has written is a cron run or a workflow
 * retry. It starts over, from the input of the first run of the chain that `runId` belongs to.
 */
export type ReadCarried = { type: 'carried'; carried: CarriedRun } | { type: 'startOver'; runId: string };

/** What is read from the run that wrote the value. Its hashes are in `state.pin`, and the worker has compared them. */
export interface ReadAgain {
  manifest: Manifest;
  context: RunContext;
  /** What the first run of the chain was started with. */
  input: RunInput;
  /** From the memo, which Temporal passes on. */
  lineage?: string;
  /** Data of the last answer, where the value has none. */
  answer?: Json;
}

export type Resumed =
  | { type: 'resumed'; state: AgentState; updates: CarriedUpdate[] }
  | Extract<ReadCarried, { type: 'startOver' }>;

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
  if (!Number.isSafeInteger(version)) return refuse('Expected `version` to be a whole number');
  if (version !== CARRIED_VERSION)
    throw new HoldfastError('UnknownStateVersion', { version: Number(version), known: CARRIED_VERSION });
  if (typeof runId !== 'string' || runId === '') return refuse('Expected `runId` to be a non-empty string');
  if (runId !== continuedFrom) return { type: 'startOver', runId };
  const problem = carriedForm(given, 'carried');
  if (problem !== undefined) return refuse(problem);
  // Its form has been checked above.
  const carried = given as unknown as CarriedRun;
  const { first, hash } = carried.transcript;
  // The state must have all messages: positions in a window would be taken for positions in the transcript.
  if (first !== 0 || hash !== EMPTY_HASH)
    return refuse('Expected `carried.transcript` to begin with the first message');
  return { type: 'carried', carried };
}

/**
 * The state of a run that goes on in a new history, and the updates that were accepted before. Pure.
 * @throws HoldfastError `UnknownStateVersion`, `InvalidCarriedState`, `UnreadablePayload`
 */
export function resume(
  given: unknown,
  { continuedFrom, ...again }: ReadAgain & { continuedFrom: string | undefined },
): Resumed {
  const read = readCarried(given, continuedFrom);
  if (read.type === 'startOver') return read;
  return { type: 'resumed', state: stateOf(read.carried, again), updates: read.carried.updates };
}

function stateOf(carried: CarriedRun, { manifest, context, input, lineage, answer }: ReadAgain): AgentState {
  const { transcript, batch, waiting, effects, state } = carried;
  return {
    version: 1,
    ...carriedStateOf(state),
    ...withInput(input, lineage),
    ...waiting,
    manifest,
    context,
    messages: transcript.messages,
    batch,
    effects,
    ...defined({ answer: answerOf(carried, answer) }),
  };
}

function answerOf({ answer, runId }: CarriedRun, data: Json | undefined): AgentState['answer'] {
  if (answer === undefined) return undefined;
  // `null` is an answer.
  const known = answer.data === undefined ? data : answer.data;
  if (known === undefined) refuse(`the answer of exchange ${answer.exchange} was not read from the run ${runId}`);
  return { exchange: answer.exchange, data: known };
}

function refuse(problem: string): never {
  throw new HoldfastError('InvalidCarriedState', { problem });
}
