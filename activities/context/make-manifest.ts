import type { AgentDefinition } from '../../agent/define-agent';
import type { AnyTool, ToolPolicy } from '../../agent/define-tool';
import { milliseconds } from '../../agent/duration';
import { FILE_TOOLS } from '../../agent/file-tools';
import type { Json } from '../../agent/json';
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
  const tools = [...internal, ...fileTools(agent), ...mcpTools].map((tool) => withPolicy(tool, agent.policies));
  const names = nameTable(tools.map((tool) => tool.name));
  return {
    version: 1,
    agent: agent.name,
    ...(agent.description === undefined ? {} : { description: agent.description }),
    models: [agent.model ?? 'default'].flat(),
    ...(agent.fallbackAnswer === undefined ? {} : { fallbackAnswer: agent.fallbackAnswer as Json }),
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
    ...DEFAULT_POLICY,
    ...resolved(tool),
  };
}

function fileTools({ files }: AgentDefinition): UnnamedTool[] {
  if (files === undefined) return [];
  return FILE_TOOLS.map((tool) => ({ ...tool, kind: 'internal', ...DEFAULT_POLICY, effect: 'read' }));
}

type Policy = Pick<
  ToolSpec,
  'effect' | 'priority' | 'timeout' | 'heartbeatTimeout' | 'attempts' | 'placement' | 'cancellation'
>;

/** How a tool is run that says nothing: safe before quick. */
export const DEFAULT_POLICY = {
  effect: 'once',
  priority: 0,
  timeout: DEFAULT_TOOL_TIMEOUT,
  attempts: 1,
  placement: 'activity',
  cancellation: 'wait',
} as const satisfies Policy;

/** The operator's word for single tools, over what the tools, or a server's hints, say of themselves. */
function withPolicy(tool: UnnamedTool, policies: AgentDefinition['policies'] = {}): UnnamedTool {
  const policy = Object.hasOwn(policies, tool.name) ? policies[tool.name] : undefined;
  return policy === undefined ? tool : { ...tool, ...resolved(policy) };
}

function resolved({
  effect,
  priority,
  timeout,
  heartbeatTimeout,
  attempts,
  placement,
  cancellation,
}: ToolPolicy): Partial<Policy> {
  const given = {
    effect,
    priority,
    timeout: milliseconds(timeout),
    heartbeatTimeout: milliseconds(heartbeatTimeout),
    attempts,
    placement,
    cancellation,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function limitsOf({ limits = {} }: AgentDefinition): Limits {
  return {
    maxToolInteractions: limits.maxToolInteractions ?? DEFAULT_LIMITS.maxToolInteractions,
    maxResultChars: limits.maxResultChars ?? DEFAULT_LIMITS.maxResultChars,
    heartbeatTimeout: milliseconds(limits.heartbeatTimeout) ?? DEFAULT_LIMITS.heartbeatTimeout,
    modelTimeout: milliseconds(limits.modelTimeout) ?? DEFAULT_LIMITS.modelTimeout,
  };
}
