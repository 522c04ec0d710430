import type { Manifest, ToolSpec } from '../protocol/manifest';

/** The lane of an agent that runs all its calls one by one. No tool has this name. */
const ALL = '*';

/** The lane of the calls of a tool. A serial agent, each serial server and each serial tool has one lane. */
export function laneOf(manifest: Pick<Manifest, 'execution'> | undefined, tool: ToolSpec): string | undefined {
  // The result of the whole loop comes after all other calls, wherever it is in the answer: they must not wait for it.
  if (isCompletion(tool)) return undefined;
  if (manifest?.execution === 'serial') return ALL;
  if (tool.serial === 'server' && tool.kind === 'mcp') return `${tool.mcp.server}.${ALL}`;
  return tool.serial === undefined ? undefined : tool.name;
}

/** Whether a tool takes the result of the loop. */
export function isCompletion(tool: ToolSpec): boolean {
  return tool.kind === 'loop' && tool.loop.does === 'complete';
}
