import { laneOf } from '../../../../agent/plan/lanes';
import type { Manifest } from '../../../../agent/protocol/manifest';

/** What a translation knows about a tool. */
export interface ToolName {
  /** Canonical name. */
  name: string;
  /** It is a tool of an MCP server: no client has types for it. */
  dynamic: boolean;
  /** Calls of one lane run one by one. */
  lane?: string;
}

/** Finds a tool by the name that a model uses for it, or by its own. */
export type ToolNames = (name: string) => ToolName;

export function toolNames(manifest: Pick<Manifest, 'tools' | 'execution'> | null): ToolNames {
  const known = new Map<string, ToolName>();
  for (const tool of manifest?.tools ?? []) {
    const lane = laneOf(manifest ?? undefined, tool);
    const one = { name: tool.name, dynamic: tool.kind === 'mcp', ...(lane === undefined ? {} : { lane }) };
    known.set(tool.name, one);
    if (!known.has(tool.modelName)) known.set(tool.modelName, one);
  }
  return (name) => known.get(name) ?? { name, dynamic: name.includes('.') };
}
