import type { UndoEntry } from '../../../agent/protocol/commands/undo';

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

/** Whether its inverse is running or is next. */
export function isBeingUndone({ undone }: UndoEntry): boolean {
  return undone !== undefined && undone.outcome === undefined;
}
