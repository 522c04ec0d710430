import type { UndoEntry } from '../../../agent/protocol/commands/undo';
import type { FactBody } from '../../../agent/protocol/facts/fact';
import { jsonBytes } from '../../../agent/values/json';
import { isUndoable } from '../../state/selectors/effects';
import { newest } from './newest';

/**
 * The effects that are carried, and facts for those that can no longer be undone. Above `max` bytes the oldest lose
 * their inverse, and so do those that are undone already. An effect without its inverse stays, so that nothing older is
 * undone past it. Where even these do not fit, the oldest of them are dropped.
 */
export function keepEffects(effects: readonly UndoEntry[], max: number): { effects: UndoEntry[]; facts: FactBody[] } {
  if (jsonBytes(effects) <= max) return { effects: [...effects], facts: [] };
  const bare = newest(effects.map(withoutInverse), max);
  const carried = withInverses(effects.slice(effects.length - bare.length), bare, max - jsonBytes(bare));
  const kept = new Set(carried.filter(isUndoable).map(({ toolUseId }) => toolUseId));
  const facts = effects
    .filter((entry) => isUndoable(entry) && !kept.has(entry.toolUseId))
    .map(({ toolUseId, name }): FactBody => ({ type: 'undo.dropped', toolUseId, name }));
  return { effects: carried, facts };
}

function withoutInverse({ inverse: _, ...entry }: UndoEntry): UndoEntry {
  return entry;
}

/** Adds inverses to the newest, until one does not fit into `room` bytes: an undo by count must find no gaps. */
function withInverses(entries: readonly UndoEntry[], bare: readonly UndoEntry[], room: number): UndoEntry[] {
  const carried = [...bare];
  for (let i = entries.length - 1; i >= 0; i--) {
    const entry = entries[i];
    if (entry === undefined || !isUndoable(entry)) continue;
    room -= jsonBytes(entry) - jsonBytes(bare[i]);
    if (room < 0) break;
    carried[i] = entry;
  }
  return carried;
}
