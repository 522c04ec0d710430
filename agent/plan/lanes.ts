import type { Manifest, ToolSpec } from '../protocol/manifest';

/** The lane of an agent whose calls all run one after the other; no tool has this name. */
const ALL = '*';

/** The lane that calls of a tool run in: one for a serial agent, for each serial server and for each serial tool. */
export function laneOf(manifest: Pick<Manifest, 'execution'> | undefined, tool: ToolSpec): string | undefined {
  // A result of the whole loop comes after all others, wherever it was asked for: others must not wait for it.
  if (isCompletion(tool)) return undefined;
  if (manifest?.execution === 'serial') return ALL;
  if (tool.serial === 'server' && tool.kind === 'mcp') return `${tool.mcp.server}.${ALL}`;
  return tool.serial === undefined ? undefined : tool.name;
}

/** The tool that gives the result. */
export function isCompletion(tool: ToolSpec): boolean {
  return tool.kind === 'loop' && tool.loop.does === 'complete';
}
