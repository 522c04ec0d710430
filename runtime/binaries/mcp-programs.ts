import type { Agent } from '../../agent/define/agent-definition';
import { isHttpServer, type McpServer, type McpStdioServer } from '../../agent/define/mcp-server';
import { searchPath } from './binaries';

/** An MCP server whose program is not on this machine. */
export interface MissingProgram {
  /** Its alias, or `agent/key` if an agent defines it. */
  server: string;
  command: string;
}

/** The programs of MCP servers that agents use and that cannot be started here: otherwise only a run would show it. */
export async function missingPrograms(
  agents: readonly Agent[],
  mcp: Readonly<Record<string, McpServer>>,
): Promise<MissingProgram[]> {
  const used = new Map<string, McpServer | undefined>();
  for (const { name, definition } of agents) {
    for (const [key, server] of Object.entries(definition.mcp ?? {})) {
      if (typeof server === 'string') used.set(server, mcp[server]);
      else used.set(`${name}/${key}`, server);
    }
  }
  const missing: MissingProgram[] = [];
  for (const [alias, server] of used) {
    if (server === undefined || isHttpServer(server) || (await findProgram(server)) !== undefined) continue;
    missing.push({ server: alias, command: server.command });
  }
  return missing;
}

/** The path of the program of an MCP server, if there is one. */
export async function findProgram({ command, cwd, env }: McpStdioServer): Promise<string | undefined> {
  return searchPath(command, { PATH: env?.PATH ?? process.env.PATH }, cwd);
}
