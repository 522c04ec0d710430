import { HoldfastError } from '../../agent/errors/error';
import type { UndoAccepted, Undone } from '../../agent/protocol/commands/undo';
import type { Fact } from '../../agent/protocol/facts/fact';

const LEFT = 'the undo of a newer call failed, so older calls were not undone; try again, or name the call';

/**
 * Reads facts until the outcome of each call of an accepted request is known.
 * @throws HoldfastError `NotUndoable` if an earlier undo failed and none of this request was tried; `RunEnded` if the
 * run ended first
 */
export async function undoneOf(
  id: string,
  { toolUseIds }: UndoAccepted,
  facts: AsyncIterable<Fact>,
  signal?: AbortSignal,
): Promise<Undone> {
  const undone: Undone['undone'] = [];
  const open = new Set(toolUseIds);
  let status = 'no end is known';
  for await (const fact of facts) {
    if (fact.type === 'loop.end') status = fact.reason;
    if (fact.type !== 'undo.done' && fact.type !== 'undo.failed' && fact.type !== 'undo.left') continue;
    if (!open.delete(fact.toolUseId)) continue;
    const { toolUseId, name: tool } = fact;
    if (fact.type === 'undo.done') undone.push({ toolUseId, tool, text: fact.text });
    if (fact.type === 'undo.failed') undone.push({ toolUseId, tool, text: fact.error.message, error: fact.error });
    if (open.size > 0) continue;
    if (undone.length === 0) throw new HoldfastError('NotUndoable', { id, toolUseId, tool, problem: LEFT });
    return { undone };
  }
  signal?.throwIfAborted();
  throw new HoldfastError('RunEnded', { id, status, undo: [...open] });
}
