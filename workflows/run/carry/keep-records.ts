import { CARRIED_BYTES, type CarriedUpdate, MAX_UPDATES } from '../../../agent/state/carried/carried';
import type { CarriedState } from '../../../agent/state/carried/carried-state';
import { jsonBytes } from '../../../agent/values/json';
import { newest } from './newest';

/** What only grows, and may forget its oldest entries. The updates are one more. */
type Records = Pick<CarriedState, 'taken' | 'decided' | 'replied' | 'toolTypeCounts'>;

/** The small fields and the updates, in as many bytes as `CARRIED_BYTES.rest` has. */
interface Kept {
  state: CarriedState;
  updates: CarriedUpdate[];
}

/** The least that each of the records has for itself: about 50 entries. */
const SHARE = 4 * 1024;

/**
 * Forgets the oldest of what a repeated message, decision or answer is recognised by, as far as there is no room for it. Calls
 * are counted by the name that the model gave: names of no tool are forgotten as well.
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
  // By place among the facts: a record lists keys such as `17` first, whenever they came.
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
  // `fromEntries` and not an assignment: a key may be `__proto__`.
  const records: Records = {
    taken: Object.fromEntries(keep(taken, 3)),
    decided: Object.fromEntries(keep(Object.entries(state.decided), 2)),
    replied: Object.fromEntries(keep(Object.entries(state.replied), 1)),
    toolTypeCounts: Object.fromEntries([...known, ...keep(strange, 0)]),
  };
  return { state: { ...state, ...records }, updates: keptUpdates };
}

/** Whoever repeats the update learns that it was taken, and a second undo, say, does not happen. */
function withoutLargeVerdict(update: CarriedUpdate): CarriedUpdate {
  return jsonBytes(update) > CARRIED_BYTES.update ? { id: update.id, dropped: true } : update;
}
