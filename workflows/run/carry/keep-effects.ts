import type { FactBody } from '../../../agent/protocol/fact';
import type { UndoEntry } from '../../../agent/protocol/undo';
import { jsonBytes } from '../../../agent/values/json';
import { isUndoable } from '../../state/selectors/effects';
import { newest } from './newest';

/**
 * The effects that are carried, and facts for those that can no longer be undone. Above `max` bytes the oldest lose their
 * inverse, and so do those that are taken back already. An effect without its inverse stays, so that nothing older is undone
 * past it; the oldest of these go where even they do not fit.
 */
export function keepEffects(undoable: readonly UndoEntry[], max: number): { effects: UndoEntry[]; facts: FactBody[] } {
  if (jsonBytes(undoable) <= max) return { effects: [...undoable], facts: [] };
  const bare = newest(undoable.map(withoutInverse), max);
  const effects = withInverses(undoable.slice(undoable.length - bare.length), bare, max - jsonBytes(bare));
  const kept = new Set(effects.filter(isUndoable).map(({ toolUseId }) => toolUseId));
  const facts = undoable
    .filter((entry) => isUndoable(entry) && !kept.has(entry.toolUseId))
    .map(({ toolUseId, name }): FactBody => ({ type: 'undo.dropped', toolUseId, name }));
  return { effects, facts };
}

function withoutInverse({ inverse: _, ...entry }: UndoEntry): UndoEntry {
  return entry;
}

/** Gives the newest their inverses back, until one does not fit into `room` bytes: a count of effects is undone without gaps. */
function withInverses(entries: readonly UndoEntry[], bare: readonly UndoEntry[], room: number): UndoEntry[] {
  const effects = [...bare];
  for (let i = entries.length - 1; i >= 0; i--) {
    const entry = entries[i];
    if (entry === undefined || !isUndoable(entry)) continue;
    room -= jsonBytes(entry) - jsonBytes(bare[i]);
    if (room < 0) break;
    effects[i] = entry;
  }
  return effects;
}
