import { createContext, useContext } from 'react';

/** What calls of a conversation can do with the run that they are in. */
export interface RunActions {
  id: string;
  /** Calls whose effects can be taken back. */
  undoable: ReadonlySet<string>;
  undo(toolUseId: string): void;
}

export const RunActionsContext = createContext<RunActions>({ id: '', undoable: new Set(), undo: () => {} });

export const useRunActions = () => useContext(RunActionsContext);
