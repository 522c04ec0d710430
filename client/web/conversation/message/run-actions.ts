import { createContext, useContext } from 'react';

/** What calls of a conversation can do with the run that they are in. */
export interface RunActions {
  id: string;
  /** Calls whose effects can be taken back. */
  undoable: ReadonlySet<string>;
  undo(toolUseId: string): void;
  /** Calls whose effects were taken back, and by whom, if it is known. */
  undone: ReadonlyMap<string, { by?: string }>;
}

export const RunActionsContext = createContext<RunActions>({
  id: '',
  undoable: new Set(),
  undo: () => {},
  undone: new Map(),
});

export const useRunActions = () => useContext(RunActionsContext);
