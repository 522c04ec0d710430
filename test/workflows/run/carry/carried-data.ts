import type { ReadAgainResult } from '../../../../agent/protocol/activities';
import type { UndoEntry } from '../../../../agent/protocol/commands/undo';
import type { CarriedRun } from '../../../../agent/state/carried/carried';
import type { AgentState } from '../../../../agent/state/state';
import { jsonBytes } from '../../../../agent/values/json';
import { type Carrying, carry } from '../../../../workflows/run/carry/carry';
import { pinnedAgain, type ReadAgain, readCarried, resumedState } from '../../../../workflows/run/carry/resume';
import { step } from '../../../../workflows/state/reduce';
import { INPUT } from './random-run';

/** Temporal's id of the run that carries. */
export const RUN_ID = 'one';

/** A run with nothing in flight that no update has reached. */
export const QUIET: Carrying = { runId: RUN_ID, updates: [], inFlight: [], why: 'history' };

/** What a state hands to the next run. */
export function carriedOf(state: AgentState, more: Partial<Carrying> = {}): CarriedRun {
  const verdict = carry(state, { ...QUIET, ...more });
  if (verdict.type !== 'carried') throw new Error(`it was not carried: ${JSON.stringify(verdict)}`);
  return verdict.carried;
}

/** A value as the next run receives it. */
export function handedOn<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/** What the next run reads from the one before. */
export function pinned({ manifest, context }: AgentState, more: Partial<ReadAgain> = {}): ReadAgain {
  if (manifest === undefined || context === undefined) throw new Error('nothing is pinned');
  return { manifest, context, input: INPUT, ...more };
}

/** The state in which the next run goes on. */
export function resumed(given: unknown, read: ReadAgain, { runId = RUN_ID, ...more }: Resuming = {}): AgentState {
  const verdict = readCarried(given, runId);
  if (verdict.type !== 'carried') throw new Error('it starts over');
  const { carried } = verdict;
  return step(resumedState(carried), { type: 'continued', fields: pinnedAgain(carried, read, more) }).state;
}

interface Resuming extends Pick<ReadAgainResult, 'answer' | 'messages'> {
  /** The Temporal run before it. */
  runId?: string;
}

/** The same state in a run that was carried once: one more fact, and a link to the run before. */
export function inNextRun(state: AgentState, runId = RUN_ID): AgentState {
  const facts = state.facts + 1;
  const link = { runId, facts, messages: state.messages.length };
  return { ...state, facts, continued: state.continued + 1, chain: [...state.chain, link] };
}

/** A value with a text that makes it exactly `bytes` bytes long as JSON. */
export function ofBytes<T>(bytes: number, make: (text: string) => T): T {
  const value = make('x'.repeat(bytes - jsonBytes(make(''))));
  if (jsonBytes(value) !== bytes) throw new Error(`${jsonBytes(value)} bytes instead of ${bytes}`);
  return value;
}

/** An effect whose inverse makes it `bytes` large. */
export function effect(n: number, bytes: number): UndoEntry {
  return ofBytes(bytes, (text) => ({
    toolUseId: `t1.${n}`,
    name: 'put',
    inverse: { input: { text }, hash: 'h', content: [] },
  }));
}
