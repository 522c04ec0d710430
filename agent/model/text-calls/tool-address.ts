import { toolNotFound } from '../../prompts/calls/text-calls';
import type { ToolSpec } from '../../protocol/manifest';
import { nearNames } from '../names/name-table';
import { LOCAL, nameInText } from './local';

/** Where a call in a text goes: the fields `server_name` and `tool_name`. */
export interface ToolAddress {
  /** `local`, or the agent's key of an MCP server. */
  server: string;
  tool: string;
}

/** What a tool is called in a text. */
export function addressOf(tool: ToolSpec): ToolAddress {
  return tool.kind === 'mcp'
    ? { server: tool.mcp.server, tool: nameInText(tool) }
    : { server: LOCAL, tool: nameInText(tool) };
}

/** The tool at an address. Its other names are understood, too. */
export function toolAt(tools: readonly ToolSpec[], { server, tool: said }: ToolAddress): ToolSpec | undefined {
  const there = tools.filter((tool) => addressOf(tool).server === server);
  return (
    there.find((tool) => addressOf(tool).tool === said) ??
    there.find(
      (tool) => tool.name === said || tool.modelName === said || (tool.kind === 'mcp' && tool.mcp.tool === said),
    )
  );
}

/** The name under which a run keeps a call that goes nowhere. {@link writtenAddress} reads it back. */
export function writtenName({ server, tool }: ToolAddress): string {
  return server === LOCAL && !tool.includes('.') ? tool : `${server}.${tool}`;
}

/** The address of a call that a run has kept by its name. */
export function writtenAddress(name: string, known: ReadonlyMap<string, ToolSpec>): ToolAddress {
  const tool = known.get(name);
  if (tool !== undefined) return addressOf(tool);
  const dot = name.indexOf('.');
  return dot < 0 ? { server: LOCAL, tool: name } : { server: name.slice(0, dot), tool: name.slice(dot + 1) };
}

/** The servers of a list of tools, `local` first. */
export function serversOf(tools: readonly ToolSpec[]): string[] {
  return [...new Set([LOCAL, ...tools.map((tool) => addressOf(tool).server)])];
}

/** Names that are listed to a model that calls a tool which does not exist. */
const MAX_NAMED = 20;

/** What the model reads about an address where there is no tool. */
export function notFoundAt(tools: readonly ToolSpec[], address: ToolAddress): string {
  const servers = serversOf(tools);
  const elsewhere = servers.filter((server) => toolAt(tools, { ...address, server }) !== undefined);
  const isServer = servers.includes(address.server);
  const known = isServer
    ? tools.map(addressOf).flatMap(({ server, tool }) => (server === address.server ? [tool] : []))
    : servers;
  const near = nearNames(isServer ? address.tool : address.server, known);
  return toolNotFound(address, { isServer, elsewhere, near, known: known.slice(0, MAX_NAMED) });
}
