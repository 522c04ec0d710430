import type { UndoEntry } from '../../../../agent/protocol/undo';
import type { CarriedRun } from '../../../../agent/state/carried/carried';
import type { AgentState } from '../../../../agent/state/state';
import { jsonBytes } from '../../../../agent/values/json';
import { type Carrying, carry } from '../../../../workflows/run/carry/carry';
import type { ReadAgain } from '../../../../workflows/run/carry/resume';
import { INPUT } from './random-run';

/** Temporal's id of the run that carries. */
export const RUN_ID = 'one';

/** What a state hands to the next run. */
export function carriedOf(state: AgentState, more: Partial<Carrying> = {}): CarriedRun {
  const verdict = carry(state, { runId: RUN_ID, updates: [], inFlight: [], ...more });
  if (verdict.type !== 'carried') throw new Error(`it was not carried: ${JSON.stringify(verdict)}`);
  return verdict.carried;
}

/** A value as the next run receives it. */
export function handedOn<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/** What the next run reads from the one before. */
export function pinned(
  { manifest, context }: AgentState,
  more: Partial<ReadAgain> = {},
): ReadAgain & { continuedFrom: string | undefined } {
  if (manifest === undefined || context === undefined) throw new Error('nothing is pinned');
  return { manifest, context, input: INPUT, continuedFrom: RUN_ID, ...more };
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
