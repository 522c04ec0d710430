import type { McpStdioServer } from '../../agent/define/mcp-server';

/** How a person would type the command of a server. */
export function commandLine({ command, args = [] }: McpStdioServer): string {
  return [command, ...args].map((word) => (/^[\w@%+=:,./\\-]+$/.test(word) ? word : JSON.stringify(word))).join(' ');
}
