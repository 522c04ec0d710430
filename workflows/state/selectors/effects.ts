import type { UndoEntry } from '../../../agent/protocol/commands/undo';
import { defined } from '../../../agent/values/defined';

/** A call that can be undone. */
export type UndoableCall = UndoEntry & Required<Pick<UndoEntry, 'inverse'>>;

/** Calls that can be undone, the newest first. */
export function mayBeUndone(effects: readonly UndoEntry[]): UndoableCall[] {
  return effects.filter(isUndoable).reverse();
}

export function isUndoable(entry: UndoEntry): entry is UndoableCall {
  const { undone } = entry;
  return entry.inverse !== undefined && (undone === undefined || undone.outcome === 'failed');
}

/** Calls whose undo has ended with an outcome, the one that was asked for last first. */
export function undoneWith(
  outcome: 'done' | 'unknown',
  effects: readonly UndoEntry[],
): { toolUseId: string; name: string; by?: string; at: number }[] {
  return effects
    .flatMap(({ toolUseId, name, undone }) => {
      if (undone?.outcome !== outcome) return [];
      const { at, by } = undone;
      return [{ toolUseId, name, at, ...defined({ by }) }];
    })
    .sort((a, b) => b.at - a.at);
}

/** Whether its inverse is running or is next. */
export function isBeingUndone({ undone }: UndoEntry): boolean {
  return undone !== undefined && undone.outcome === undefined;
}
