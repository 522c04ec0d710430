import { CARRIED_BYTES, type CarriedUpdate, MAX_UPDATES } from '../../../agent/state/carried/carried';
import type { CarriedState } from '../../../agent/state/carried/carried-state';
import { jsonBytes } from '../../../agent/values/json';
import { newest } from './newest';

/** Records that only grow and may drop their oldest entries. The updates are one more. */
type Records = Pick<CarriedState, 'taken' | 'decided' | 'replied' | 'toolTypeCounts'>;

/** The small fields and the updates, within `CARRIED_BYTES.rest` bytes. */
interface Kept {
  state: CarriedState;
  updates: CarriedUpdate[];
}

/** Bytes reserved for each of the records: about 50 entries. */
const SHARE = 4 * 1024;

/**
 * Drops the oldest records of messages, decisions and answers where there is no room for them: repeats of these are no
 * longer recognised. Calls are counted by the name that the model gave: names that belong to no tool are dropped as
 * well.
 * @param tools canonical names of the tools of the run
 * @returns the bytes that the other fields take where they leave too little room
 */
export function keepRecords(
  state: CarriedState,
  updates: readonly CarriedUpdate[],
  tools: ReadonlySet<string>,
): Kept | { bytes: number } {
  const counts = Object.entries(state.toolTypeCounts);
  const known = counts.filter(([name]) => tools.has(name));
  const strange = counts.filter(([name]) => !tools.has(name));
  // Sorted by their place among the facts: an object lists keys such as `17` first, regardless of when they were added.
  const taken = Object.entries(state.taken).sort(([, a], [, b]) => a.after - b.after);
  const empty: Records = { taken: {}, decided: {}, replied: {}, toolTypeCounts: Object.fromEntries(known) };
  const bytes = jsonBytes({ ...state, ...empty });
  let room = CARRIED_BYTES.rest - bytes;
  if (room < CARRIED_BYTES.records) return { bytes };
  /** The newest that fit while `others` records still have their share. */
  const keep = <T>(entries: readonly T[], others: number): T[] => {
    const kept = newest(entries, room - others * SHARE);
    room -= jsonBytes(kept);
    return kept;
  };
  const keptUpdates = keep(updates.slice(-MAX_UPDATES).map(withoutLargeVerdict), 4);
  // `fromEntries` instead of an assignment: a key may be `__proto__`.
  const records: Records = {
    taken: Object.fromEntries(keep(taken, 3)),
    decided: Object.fromEntries(keep(Object.entries(state.decided), 2)),
    replied: Object.fromEntries(keep(Object.entries(state.replied), 1)),
    toolTypeCounts: Object.fromEntries([...known, ...keep(strange, 0)]),
  };
  return { state: { ...state, ...records }, updates: keptUpdates };
}

/** A client that repeats the update learns that it was taken, and does not cause a second undo, for example. */
function withoutLargeVerdict(update: CarriedUpdate): CarriedUpdate {
  return jsonBytes(update) > CARRIED_BYTES.update ? { id: update.id, dropped: true } : update;
}
