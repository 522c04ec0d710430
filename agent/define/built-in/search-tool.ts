import { SEARCH_QUERY, searchToolsDescription } from '../../prompts/tools/search-tools';
import type { ToolSpec, UnnamedTool } from '../../protocol/manifest';
import { SEARCH_TOOLS } from '../../tool-filter/tool-filter';

/** The tool that finds those of `tools` that a model is not offered. */
export function searchTool(tools: readonly UnnamedTool[]): Pick<ToolSpec, 'name' | 'description' | 'inputSchema'> {
  const groups = new Map<string, number>();
  for (const tool of tools) {
    if (tool.kind === 'mcp') groups.set(tool.mcp.server, (groups.get(tool.mcp.server) ?? 0) + 1);
  }
  const servers = [...groups].map(([name, count]) => ({ name, tools: count }));
  return {
    name: SEARCH_TOOLS,
    description: searchToolsDescription(tools.length, servers),
    inputSchema: {
      type: 'object',
      properties: { query: { type: 'string', minLength: 1, description: SEARCH_QUERY } },
      required: ['query'],
      additionalProperties: false,
    },
  };
}
