import { toJsonSchema } from '../../agent/contracts/schema';
import type { AgentDefinition } from '../../agent/define/agent-definition';
import { builtInTools } from '../../agent/define/built-in/built-in-tools';
import type { AnyTool, RunPolicy } from '../../agent/define/tool-definition';
import { ONCE_HEARTBEAT_TIMEOUT } from '../../agent/limits';
import type { ToolSpec, UnnamedTool } from '../../agent/protocol/manifest';
import { defined } from '../../agent/values/defined';
import { milliseconds } from '../../agent/values/duration';
import { approvalSpec } from './approval-spec';
import { DEFAULT_POLICY, type Policy } from './default-policy';
import { loopToolSpecs } from './loop-tool-specs';
import { serviceTool } from './service-spec';
import { planTools } from './strategy-spec';

/** All tools of an agent with their policies: its own, the built-in ones, and those of its MCP servers. */
export function toolSpecs(agent: AgentDefinition, mcpTools: readonly UnnamedTool[]): UnnamedTool[] {
  const internal = Object.entries(agent.tools ?? {}).map(([name, tool]) => internalTool(name, tool));
  const services = Object.entries(agent.services ?? {}).map(([name, service]) => serviceTool(name, service));
  return [...internal, ...ownTools(agent), ...mcpTools, ...services, ...loopToolSpecs(agent), ...planTools(agent)].map(
    (tool) => withHeartbeat(withPolicy(tool, agent.policies), agent),
  );
}

function internalTool(name: string, tool: AnyTool): UnnamedTool {
  return {
    name,
    kind: 'internal',
    description: tool.description,
    inputSchema: toJsonSchema(tool.inputSchema),
    ...(tool.outputSchema === undefined ? {} : { outputSchema: toJsonSchema(tool.outputSchema) }),
    ...DEFAULT_POLICY,
    ...resolved(tool),
    ...serialOf(tool),
    ...approvalOf(tool),
    ...(tool.undo === undefined ? {} : { undo: true }),
  };
}

/** Those of its folders of files and of skills. */
function ownTools(agent: AgentDefinition): UnnamedTool[] {
  return builtInTools(agent).map((tool) => ({ ...tool, kind: 'internal', ...DEFAULT_POLICY, effect: 'read' }));
}

/** The operator's policies for single tools override what the tools, or a server's hints, declare. */
function withPolicy(tool: UnnamedTool, policies: AgentDefinition['policies'] = {}): UnnamedTool {
  const policy = Object.hasOwn(policies, tool.name) ? policies[tool.name] : undefined;
  if (policy === undefined) return tool;
  const { approval, serial } = tool;
  const kept = policy.approval === undefined && approval !== undefined ? { approval } : approvalOf(policy);
  if (tool.kind !== 'service') {
    const expires = milliseconds(policy.questionsExpire);
    const { approval: _, serial: __, ...rest } = tool;
    const given = { ...rest, ...resolved(policy), ...serialOf(policy, serial), ...kept };
    if (given.kind === 'mcp' && expires !== undefined) given.mcp = { ...given.mcp, questionsExpire: expires };
    // The hints of its server may show that an MCP tool only reads.
    return policy.undo === undefined || given.effect === 'read' ? given : { ...given, undo: true };
  }
  // A service is limited by how long the run waits, not by an attempt of an activity.
  const { timeout, ...given } = resolved(policy);
  const service = timeout === undefined ? tool.service : { ...tool.service, timeout };
  const { approval: _, serial: __, ...rest } = tool;
  return { ...rest, ...given, ...serialOf(policy, serial), ...kept, service };
}

/** Sets the heartbeat timeout of a `once` call that has none configured. */
function withHeartbeat(tool: UnnamedTool, { limits = {} }: AgentDefinition): UnnamedTool {
  const isActivity = tool.kind === 'internal' || tool.kind === 'mcp';
  const isGiven = tool.heartbeatTimeout !== undefined || limits.heartbeatTimeout !== undefined;
  return isActivity && tool.effect === 'once' && !isGiven
    ? { ...tool, heartbeatTimeout: ONCE_HEARTBEAT_TIMEOUT }
    : tool;
}

function approvalOf({ approval }: RunPolicy): Pick<ToolSpec, 'approval'> {
  const spec = approvalSpec(approval);
  return defined({ approval: spec });
}

/** A serial tool of a serial server stays in line with the other tools of that server. */
function serialOf({ execution }: RunPolicy, before?: ToolSpec['serial']): Pick<ToolSpec, 'serial'> {
  const serial = execution === 'parallel' ? undefined : (before ?? (execution === 'serial' ? 'tool' : undefined));
  return defined({ serial });
}

function resolved({
  effect,
  priority,
  timeout,
  heartbeatTimeout,
  attempts,
  placement,
  cancellation,
}: RunPolicy): Partial<Policy> {
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
