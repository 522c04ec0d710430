import type { AgentDefinition } from '../../agent/define-agent';
import type { AnyTool } from '../../agent/define-tool';
import { milliseconds } from '../../agent/duration';
import { FILE_TOOLS } from '../../agent/file-tools';
import { DEFAULT_LIMITS, DEFAULT_TOOL_TIMEOUT } from '../../agent/limits';
import type { Limits, Manifest, ToolSpec } from '../../agent/manifest';
import { nameTable } from '../../agent/name-table';
import { toJsonSchema } from '../../agent/schema';

/** A tool before the whole table of names is known. */
export type UnnamedTool = Omit<ToolSpec, 'modelName'>;

/** The serialisable form of an agent, together with the tools that its MCP servers offer. */
export function makeManifest(
  agent: AgentDefinition,
  mcpTools: readonly UnnamedTool[],
  { searchAttributes }: { searchAttributes: boolean },
): Manifest {
  const internal = Object.entries(agent.tools ?? {}).map(([name, tool]) => internalTool(name, tool));
  const tools = [...internal, ...fileTools(agent), ...mcpTools];
  const names = nameTable(tools.map((tool) => tool.name));
  return {
    version: 1,
    agent: agent.name,
    ...(agent.description === undefined ? {} : { description: agent.description }),
    model: agent.model ?? 'default',
    tools: tools.map((tool) => ({ ...tool, modelName: names.get(tool.name) ?? tool.name })),
    ...(agent.output === undefined ? {} : { output: toJsonSchema(agent.output) }),
    checksOutput: agent.output !== undefined || agent.outputBuilder !== undefined,
    limits: limitsOf(agent),
    searchAttributes,
  };
}

function internalTool(name: string, tool: AnyTool): UnnamedTool {
  return {
    name,
    kind: 'internal',
    description: tool.description,
    inputSchema: toJsonSchema(tool.input),
    ...(tool.output === undefined ? {} : { outputSchema: toJsonSchema(tool.output) }),
    effect: tool.effect ?? 'once',
    priority: tool.priority ?? 0,
    timeout: milliseconds(tool.timeout) ?? DEFAULT_TOOL_TIMEOUT,
  };
}

function fileTools({ files }: AgentDefinition): UnnamedTool[] {
  if (files === undefined) return [];
  const policy = { kind: 'internal', effect: 'read', priority: 0, timeout: DEFAULT_TOOL_TIMEOUT } as const;
  return FILE_TOOLS.map((tool) => ({ ...tool, ...policy }));
}

function limitsOf({ limits = {} }: AgentDefinition): Limits {
  return {
    maxToolInteractions: limits.maxToolInteractions ?? DEFAULT_LIMITS.maxToolInteractions,
    maxResultChars: limits.maxResultChars ?? DEFAULT_LIMITS.maxResultChars,
    heartbeatTimeout: milliseconds(limits.heartbeatTimeout) ?? DEFAULT_LIMITS.heartbeatTimeout,
    modelTimeout: milliseconds(limits.modelTimeout) ?? DEFAULT_LIMITS.modelTimeout,
  };
}
