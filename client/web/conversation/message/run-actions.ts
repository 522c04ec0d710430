import { createContext, useContext } from 'react';

/** Whether an effect was taken back: `unknown` if that is not known. */
export type UndoOutcome = 'done' | 'unknown';

/** What became of the undo of a call, and who asked for it, if it is known. */
export interface UndoState {
  by?: string;
  outcome: UndoOutcome;
}

/** What calls of a conversation can do with the run that they are in. */
export interface RunActions {
  id: string;
  /** Calls whose effects can be taken back. */
  undoable: ReadonlySet<string>;
  undo(toolUseId: string): void;
  /** Calls whose effects were taken back, or perhaps were, and by whom, if it is known. */
  undone: ReadonlyMap<string, UndoState>;
}

export const RunActionsContext = createContext<RunActions>({
  id: '',
  undoable: new Set(),
  undo: () => {},
  undone: new Map(),
});

export const useRunActions = () => useContext(RunActionsContext);
