import type { Manifest } from '../../agent/protocol/manifest';
import type { BatchCall } from '../../agent/state/state';
import { isOpen } from './open-calls';
import { isCompletion } from './output-attempts';

/** The lane of an agent whose calls all run one after the other; no tool has this name. */
const ALL = '*';

/**
 * The calls of one answer with the lanes that they run in: a lane for a serial agent, for each serial server and for each
 * serial tool.
 */
export function inLanes(manifest: Manifest | undefined, calls: readonly BatchCall[]): BatchCall[] {
  return calls.map((call) => {
    const lane = call.problem === undefined ? laneOf(manifest, call.name) : undefined;
    return lane === undefined ? call : { ...call, lane };
  });
}

function laneOf(manifest: Manifest | undefined, name: string): string | undefined {
  const tool = manifest?.tools.find((known) => known.name === name);
  // A result of the whole loop comes after all others, wherever it was asked for: others must not wait for it.
  if (tool === undefined || isCompletion(tool)) return undefined;
  if (manifest?.execution === 'serial') return ALL;
  if (tool.serial === 'server' && tool.kind === 'mcp') return `${tool.mcp.server}.${ALL}`;
  return tool.serial === undefined ? undefined : name;
}

/** Whether a call of its lane that comes before it has not settled yet. */
export function isHeldBack(batch: readonly BatchCall[], { toolUseId, lane }: BatchCall): boolean {
  if (lane === undefined) return false;
  for (const other of batch) {
    if (other.toolUseId === toolUseId) return false;
    if (other.lane === lane && isOpen(other)) return true;
  }
  return false;
}
