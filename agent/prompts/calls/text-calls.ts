import { LOCAL, nameInText } from '../../model/text-calls/local';
import type { ToolSpec } from '../../protocol/manifest';
import type { JsonObject } from '../../values/json';

/*
 * What a model reads that calls tools in its text: how to call, which tools there are, what it called and what came of
 * it, and what was wrong with a call.
 */

/** Where a call goes. */
interface Address {
  server: string;
  tool: string;
}

const FORM = '<tool>{"server_name": "SERVER", "tool_name": "TOOL", "arguments": {}}</tool>';

export function callingRules(): string {
  return [
    '# Calling tools',
    '',
    'To call a tool, write one call in this form, outside of any code block:',
    '',
    FORM,
    '',
    `- \`server_name\` is \`${LOCAL}\` for your own tools, else the name of the MCP server that has the tool.`,
    '- `tool_name` is the name of the tool on that server.',
    '- `arguments` is a JSON object that fits the schema of the tool.',
    '- Write one call in an answer, as the last thing in it. The next message is its result.',
    '- Before a call, think in <thinking>…</thinking>.',
  ].join('\n');
}

/** The agent's own tools, services and loop tools; empty if there are none. */
export function toolSchemas(tools: readonly ToolSpec[]): string {
  const own = tools.filter(({ kind }) => kind !== 'mcp');
  if (own.length === 0) return '';
  return section('# Your tools', LOCAL, own.map(described(({ modelName }) => modelName)));
}

/** The tools of MCP servers, by server; empty if there are none. */
export function mcpSchemas(tools: readonly ToolSpec[]): string {
  const byServer = new Map<string, string[]>();
  for (const tool of tools) {
    if (tool.kind !== 'mcp') continue;
    const { server } = tool.mcp;
    byServer.set(server, [...(byServer.get(server) ?? []), described(nameInText)(tool)]);
  }
  return [...byServer]
    .map(([server, lines]) => section(`# Tools of the MCP server ${server}`, server, lines))
    .join('\n\n');
}

function section(title: string, server: string, lines: readonly string[]): string {
  return [title, '', `Call them with \`"server_name": "${server}"\`.`, '', ...lines].join('\n');
}

const described =
  (nameOf: (tool: ToolSpec) => string) =>
  (tool: ToolSpec): string =>
    `- ${nameOf(tool)}: ${tool.description}\n  Schema of its arguments: ${JSON.stringify(tool.inputSchema)}`;

/** A call of the model, as it is shown in the transcript. */
export function calledInText({ server, tool }: Address, input: JsonObject): string {
  return `<tool>${JSON.stringify({ server_name: server, tool_name: tool, arguments: input })}</tool>`;
}

/** Begins the message with the result of a call. */
export function resultInText({ server, tool }: Address, isError: boolean): string {
  return `${isError ? 'Error' : 'Result'} of the tool \`${tool}\` (server \`${server}\`):`;
}

/** Reminds a model that has to call a tool and did not. */
export function noCallInText({ completes }: { completes: boolean }): string {
  const end = completes ? '\nWhen the task is done, call `task_completion` with the result.' : '';
  return `You called no tool. Write one call in this form, outside of any code block:\n${FORM}${end}`;
}

/** Asks for a call that could not be read once more. @param problem with its full stop */
export function callAgain(problem: string): string {
  return `Your call was not run. ${problem} Write the call again in this form:\n${FORM}`;
}

/** @param excerpt the beginning of the call */
export function callNotJson(excerpt: string): string {
  return `It is not valid JSON: ${excerpt}`;
}

/** @param why such as `</b> does not end <a>` */
export function callNotXml(why: string): string {
  return `It is not valid XML: ${why}.`;
}

export function callNotEnded(): string {
  return 'It has no `</tool>` at its end.';
}

/** @param chars characters that a call may have */
export function callTooLong(chars: number): string {
  return `It is longer than ${chars} characters.`;
}

/** @param servers names that `server_name` may have */
export function fieldsMissing(fields: readonly string[], servers: readonly string[]): string {
  const hint = fields.includes('server_name') ? ` \`server_name\` is one of: ${servers.join(', ')}.` : '';
  return `It has no ${fields.map((field) => `\`${field}\``).join(' and no ')}.${hint}`;
}

/**
 * @param where.isServer the server exists, but has no such tool
 * @param where.elsewhere servers that have a tool of this name
 * @param where.near names of servers or of its tools that look similar
 */
export function toolNotFound(
  { server, tool }: Address,
  where: { isServer: boolean; elsewhere: readonly string[]; near: readonly string[]; known: readonly string[] },
): string {
  const { isServer, elsewhere, near, known } = where;
  const missing = isServer
    ? `The server \`${server}\` has no tool named \`${tool}\`.`
    : `There is no server named \`${server}\`.`;
  const there = elsewhere.map((name) => ` The server \`${name}\` has a tool named \`${tool}\`.`).join('');
  const kind = isServer ? 'tools' : 'servers';
  const named = near.length > 0 ? ` Similar ${kind}: ${near.join(', ')}.` : listed(kind, known);
  return `${missing}${there}${elsewhere.length > 0 ? '' : named}`;
}

function listed(kind: string, known: readonly string[]): string {
  return known.length === 0 ? ' It has no tools.' : ` Known ${kind}: ${known.join(', ')}.`;
}
