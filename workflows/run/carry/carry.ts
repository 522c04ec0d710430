import { decidesSince, SINCE } from '../../../agent/protocol/decisions';
import type { ContinueReason, FactBody } from '../../../agent/protocol/facts/fact';
import type { ChainLink } from '../../../agent/protocol/queries';
import {
  CARRIED_BYTES,
  CARRIED_VERSION,
  type CarriedRun,
  type CarriedUpdate,
  MAX_LINKS,
} from '../../../agent/state/carried/carried';
import { carriedStateOf } from '../../../agent/state/carried/carried-state';
import type { AgentState } from '../../../agent/state/state';
import { defined } from '../../../agent/values/defined';
import { jsonBytes } from '../../../agent/values/json';
import { outageOf } from '../../state/selectors/phase';
import { callsInFlight } from './in-flight';
import { keepEffects } from './keep-effects';
import { keepRecords } from './keep-records';
import { keepTranscript } from './keep-transcript';

/** What `carry` needs to know about a run beside its state. */
export interface Carrying {
  /** Temporal's id of the run that carries. */
  runId: string;
  /** Updates that it has accepted, and those that were carried to it, the oldest first. */
  updates: readonly CarriedUpdate[];
  /**
   * Activities and children in flight that the state does not show, by call or by name: a model call, an event being
   * sent to its outlet, the check of an edit or of an answer, decisions being looked up or written.
   */
  inFlight: readonly string[];
  /** Why the run goes on in a new history. */
  why: ContinueReason;
}

/** Why continue-as-new has to wait. */
export type Delay =
  /** The run has nothing pinned yet, has ended, or waits until it asks a model again that does not answer. */
  | { why: 'starting' | 'ended' | 'outage' }
  /** Calls by their ids, inverses as `<id>/undo`, and what {@link Carrying.inFlight} names. */
  | { why: 'inFlight'; what: string[] }
  /** A part is over its limit. The batch and the waiting messages become smaller when the run goes on. */
  | { why: 'tooLarge'; part: CarriedPart; bytes: number; max: number };

/** A part of what is carried that has a limit. */
export type CarriedPart = 'transcript' | 'batch' | 'waiting' | 'rest';

export type Carry =
  /** The run that carries records the facts: the carried state has counted them. */
  | { type: 'carried'; carried: CarriedRun; facts: FactBody[] }
  | ({ type: 'delayed' } & Delay)
  /** Too much of the transcript is sent to models: first those before `from` have to be left out. */
  | { type: 'trim'; from: number };

/**
 * What a run passes to the next Temporal run, or why it cannot yet. Call it at a turn boundary, or while all open calls
 * wait. Pure.
 */
export function carry(state: AgentState, { runId, updates, inFlight, why }: Carrying): Carry {
  const { pin, manifest, phase, batch, effects, inbox, steers, notes } = state;
  if (phase.at === 'ended') return { type: 'delayed', why: 'ended' };
  if (phase.at === 'starting' || pin === undefined || manifest === undefined)
    return { type: 'delayed', why: 'starting' };
  const outage = outageOf(state);
  if (outage !== undefined && (outage.nextAt !== undefined || !decidesSince(state, SINCE.carriesOutage)))
    return { type: 'delayed', why: 'outage' };
  const what = [...callsInFlight(state), ...inFlight];
  if (what.length > 0) return { type: 'delayed', why: 'inFlight', what };

  const waiting = { inbox, steers, notes };
  const large = tooLarge('batch', batch) ?? tooLarge('waiting', waiting);
  if (large !== undefined) return large;
  const tools = new Set(manifest.tools.map(({ name }) => name));
  const kept = keepEffects(effects, CARRIED_BYTES.effects);
  const facts: FactBody[] = [...kept.facts, { type: 'run.continued', number: state.continued + 1, why }];
  const link: ChainLink = { runId, facts: state.facts + facts.length, messages: state.messages.length };
  const chain = [...state.chain, link].slice(-MAX_LINKS);
  const small = carriedStateOf({
    ...state,
    phase: phase.at === 'outage' ? { at: 'working' } : phase,
    pin,
    chain,
    continued: state.continued + 1,
    facts: state.facts + facts.length,
  });
  const rest = keepRecords(small, updates, tools);
  if ('bytes' in rest) return overLimit('rest', rest.bytes, CARRIED_BYTES.rest - CARRIED_BYTES.records);

  const transcript = keepTranscript(state, CARRIED_BYTES.transcript, CARRIED_BYTES.again);
  if ('from' in transcript) return { type: 'trim', from: transcript.from };
  if ('bytes' in transcript)
    return overLimit('transcript', transcript.bytes, CARRIED_BYTES.transcript + CARRIED_BYTES.again);
  const carried: CarriedRun = {
    version: CARRIED_VERSION,
    runId,
    transcript: transcript.kept,
    batch,
    waiting,
    effects: kept.effects,
    ...rest,
    ...defined({ outage, answer: answerOf(state) }),
  };
  return { type: 'carried', carried, facts };
}

function tooLarge(part: CarriedPart, value: unknown): Carry | undefined {
  const bytes = jsonBytes(value);
  return bytes > CARRIED_BYTES[part] ? overLimit(part, bytes, CARRIED_BYTES[part]) : undefined;
}

function overLimit(part: CarriedPart, bytes: number, max: number): Carry {
  return { type: 'delayed', why: 'tooLarge', part, bytes, max };
}

/**
 * The result of a conversation may be as large as a whole answer. Then the next run reads it from the facts of this
 * one.
 */
function answerOf({ answer }: AgentState): CarriedRun['answer'] {
  if (answer === undefined || jsonBytes(answer.data) <= CARRIED_BYTES.answer) return answer;
  return { exchange: answer.exchange };
}
