import { undoFailed, undoUnknown, wasUndone } from '../../../agent/prompts/calls/undo';
import type { UndoEntry } from '../../../agent/protocol/commands/undo';
import type { AgentState } from '../../../agent/state/state';
import { defined } from '../../../agent/values/defined';
import { type JsonObject, jsonBytes } from '../../../agent/values/json';
import { toolOf } from '../selectors/calls';
import type { Reducers } from './append';

/** Inputs about undoing effects. Times are milliseconds since 1970. */
export type UndoInput =
  | { type: 'undoBegun'; toolUseIds: string[]; by?: string; at: number }
  /** These were not tried, since an earlier one failed. */
  | { type: 'undoLeft'; toolUseIds: string[] }
  | { type: 'undone'; toolUseId: string; text: string }
  | { type: 'undoFailed'; toolUseId: string; error: { type: string; message: string } };

/** Reducers for undoing effects. */
export const undoReducers: Reducers<UndoInput> = {
  undoBegun: (state, { toolUseIds, by, at }) => {
    const undone = { ...defined({ by }), at };
    return { state: changeEntries(state, toolUseIds, (entry) => ({ ...entry, undone })), facts: [] };
  },
  undoLeft: (state, { toolUseIds }) => ({
    state: changeEntries(state, toolUseIds, ({ undone: _, ...entry }) => entry),
    facts: toolUseIds.map((toolUseId) => {
      const { name, undone } = entryOf(state, toolUseId);
      return { type: 'undo.left', toolUseId, name, ...by(undone) };
    }),
  }),
  undone: (state, { toolUseId, text }) => {
    const { name, undone } = entryOf(state, toolUseId);
    return {
      state: ended(state, toolUseId, 'done', wasUndone(shown(state, toolUseId), text)),
      facts: [{ type: 'undo.done', toolUseId, name, text, ...by(undone) }],
    };
  },
  undoFailed: (state, { toolUseId, error }) => {
    const { name, undone } = entryOf(state, toolUseId);
    const outcome = error.type === 'OutcomeUnknown' ? 'unknown' : 'failed';
    const note = (outcome === 'unknown' ? undoUnknown : undoFailed)(shown(state, toolUseId), error.message);
    return {
      state: ended(state, toolUseId, outcome, note),
      facts: [{ type: 'undo.failed', toolUseId, name, error, ...by(undone) }],
    };
  },
};

function ended(state: AgentState, id: string, outcome: 'done' | 'failed' | 'unknown', note: string): AgentState {
  const next = changeEntries(state, [id], ({ undone, ...entry }) => ({
    ...entry,
    undone: { at: 0, ...undone, outcome },
  }));
  return { ...next, notes: [...state.notes, note] };
}

function changeEntries(state: AgentState, ids: readonly string[], change: (entry: UndoEntry) => UndoEntry): AgentState {
  const effects = state.effects.map((entry) => (ids.includes(entry.toolUseId) ? change(entry) : entry));
  return { ...state, effects };
}

function entryOf({ effects }: AgentState, toolUseId: string): UndoEntry {
  const entry = effects.find((one) => one.toolUseId === toolUseId);
  if (entry === undefined) throw new Error(`${toolUseId} took no effect`);
  return entry;
}

/** Bytes of a call's arguments that the model reads again. */
const MAX_SHOWN = 500;

/** The call in the form that the model knows. */
function shown(state: AgentState, toolUseId: string): string {
  const { name, inverse } = entryOf(state, toolUseId);
  const tool = toolOf(state, name);
  return `${toolUseId} \`${tool?.modelName ?? name}\` ${argumentsOf(inverse?.input ?? {})}`;
}

function argumentsOf(input: JsonObject): string {
  return jsonBytes(input) > MAX_SHOWN
    ? `with ${Object.keys(input).join(', ').slice(0, MAX_SHOWN)}`
    : JSON.stringify(input);
}

function by(undone: UndoEntry['undone']): { by?: string } {
  return defined({ by: undone?.by });
}
