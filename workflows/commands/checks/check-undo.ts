import { HoldfastError } from '../../../agent/errors/error';
import type { UndoEntry, UndoRequest } from '../../../agent/protocol/commands/undo';
import type { AgentState } from '../../../agent/state/state';
import { defined } from '../../../agent/values/defined';
import { toolOf } from '../../state/selectors/calls';
import { isBeingUndone, isUndoable, type UndoableCall } from '../../state/selectors/effects';

/**
 * The calls that a request is about, in the order in which they are undone. If one cannot be undone, none is. Pure.
 * @throws HoldfastError `NothingToUndo`, `NotUndoable`, `AlreadyUndone`, `RunEnded`
 */
export function planUndo(state: AgentState, { count = 1, toolUseId }: UndoRequest): UndoableCall[] {
  const { id, effects, phase } = state;
  if (phase.at === 'ended') throw new HoldfastError('RunEnded', { id, status: phase.reason });
  if (toolUseId !== undefined) return [named(state, toolUseId)];
  const picked = effects
    .filter((entry) => !isDone(entry))
    .slice(-count)
    .reverse();
  const blocked = picked.find((entry) => !isUndoable(entry));
  if (blocked !== undefined) throw notUndoable(state, blocked, '; older calls can be undone by their `toolUseId`');
  if (picked.length < count) throw new HoldfastError('NothingToUndo', { id, asked: count, possible: picked.length });
  return picked.filter(isUndoable);
}

function named(state: AgentState, toolUseId: string): UndoableCall {
  const { id, effects } = state;
  const entry = effects.find((one) => one.toolUseId === toolUseId);
  if (entry === undefined) {
    throw new HoldfastError('NotUndoable', { id, toolUseId, problem: 'no such call is known to have taken effect' });
  }
  const { name: tool, undone } = entry;
  if (undone !== undefined && isDone(entry)) {
    const { by, at } = undone;
    const when = new Date(at).toISOString();
    throw new HoldfastError('AlreadyUndone', { id, toolUseId, tool, at: when, ...defined({ by }) });
  }
  if (!isUndoable(entry)) throw notUndoable(state, entry);
  return entry;
}

function notUndoable(state: AgentState, entry: UndoEntry, advice = ''): HoldfastError {
  const { id } = state;
  const { toolUseId, name: tool } = entry;
  const problem = `${whyNot(entry, toolOf(state, tool)?.undo === true)}${advice}`;
  return new HoldfastError('NotUndoable', { id, toolUseId, tool, problem });
}

function whyNot({ undone }: UndoEntry, declared: boolean): string {
  if (undone !== undefined) return 'it is unknown whether its inverse took effect';
  if (!declared) return 'the tool declares no inverse';
  return 'it is unknown whether it took effect, or its result was too large to keep for an undo';
}

/** Undone, or being undone. */
function isDone(entry: UndoEntry): boolean {
  return isBeingUndone(entry) || entry.undone?.outcome === 'done';
}
