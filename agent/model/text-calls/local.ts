import type { ToolSpec } from '../../protocol/manifest';

/** `server_name` of the agent's own tools, services and loop tools. */
export const LOCAL = 'local';

/** Names of servers that a text and its tags can hold as they are. Quotes, tags and line breaks would change what is around them. */
const PLAIN = /^[\p{L}\p{N}_./-]+(?: [\p{L}\p{N}_./-]+)*$/u;
const LONGEST = 128;

/** The name of a tool in texts: on its server, its own one, or that of a function for the model. */
export function nameInText(tool: ToolSpec): string {
  if (tool.kind !== 'mcp') return tool.modelName;
  const { tool: own } = tool.mcp;
  return PLAIN.test(own) && own.length <= LONGEST ? own : tool.modelName;
}
