import type { Manifest } from './manifest';

/**
 * What the workflow decides otherwise than an earlier version of it did, with the version since which it does. A run keeps the
 * decisions that it began with, so that its history replays.
 */
export const SINCE = {
  /** What a call taught about the window of its model is forgotten with the model. */
  forgetsWindow: 2,
  /** `retry` wakes a call that retries by itself. */
  wakesCall: 2,
  /** Lists show that a run waits for its model. */
  listsOutage: 3,
  /** A run waits for a person who mends a key, a bill or the name of a model. */
  waitsForMending: 4,
  /** A run goes on in a new history while its model does not answer. */
  carriesOutage: 5,
  /** The next model takes over what is too long or invalid for one. */
  movesOnUnfit: 6,
  /** A model with a larger window goes on where another would have to conclude. */
  movesOnFull: 6,
  /** A model that a person chooses takes over from a call that waits for its next attempt. */
  switchesCall: 6,
  /** An `idempotent` call that was begun and gave no result has an unknown outcome, as a `once` call has. */
  knowsLostAttempts: 7,
  /** The check of an output waits until its bytes fit into a workflow task. */
  countsOutput: 7,
  /** A call that used nothing has no fact of its usage. */
  tellsNoUsage: 7,
  /** Model calls tell the run by a signal what failed attempts have cost. */
  hearsSpending: 8,
  /** The steps of a plan do not make the same call of a `once` tool twice. */
  plansOnce: 8,
  /** With calls in text, the last answer keeps its thinking, as the answers before it do. */
  keepsThoughts: 8,
} as const;

/** Version of what this workflow decides. */
export const DECISIONS = Math.max(...Object.values(SINCE));

/**
 * Whether the run began with decisions of this version or a later one, see {@link SINCE}. Before a run knows its agent it
 * decides nothing.
 */
export function decidesSince(
  { manifest }: { readonly manifest?: Pick<Manifest, 'decisions'> | undefined },
  version: number,
): boolean {
  return (manifest?.decisions ?? 1) >= version;
}
