import { DEFAULT_POLICY } from '../../../activities/context/default-policy';
import type { AgentDefinition } from '../../../agent/define/agent-definition';
import type { McpServer } from '../../../agent/define/mcp-server';
import type { Limits } from '../../../agent/limits';
import type { Execution, ToolSpec } from '../../../agent/protocol/manifest';
import { defined } from '../../../agent/values/defined';
import type { JsonObject } from '../../../agent/values/json';

type Policy = Required<
  Pick<ToolSpec, 'effect' | 'priority' | 'timeout' | 'heartbeatTimeout' | 'attempts' | 'placement' | 'cancellation'>
> & { execution: Execution };
type PolicyField = keyof Policy;

const FIELDS: readonly PolicyField[] = [
  'effect',
  'priority',
  'timeout',
  'heartbeatTimeout',
  'attempts',
  'placement',
  'cancellation',
  'execution',
];

/**
 * Where a setting of a tool comes from: the agent for all its tools, the tool itself, the hints of its MCP server, that
 * server's definition, the agent's limits, or the agent's policies, which override tool and server. Otherwise it is the
 * default.
 */
export type PolicyOrigin = 'agent' | 'tool' | 'MCP hint (trusted)' | 'server' | 'limits' | 'policies';

/** How one tool of an agent is run, and where each setting comes from. */
export interface ToolPolicyView extends Policy {
  name: string;
  /** What the model calls it. */
  modelName: string;
  kind: ToolSpec['kind'] | 'file';
  /** Only settings that are not the default. */
  from: { [field in PolicyField]?: PolicyOrigin };
  /** The effect that the hints of its untrusted server claim. */
  untrustedHint?: 'read' | 'idempotent';
}

interface Around {
  agent: AgentDefinition;
  limits: Limits;
  /** The server of an MCP tool. */
  server?: McpServer | undefined;
}

/** The settings of a tool in a manifest, each with its origin. */
export function policyView(spec: ToolSpec, { agent, limits, server }: Around): ToolPolicyView {
  const own = memberOf(agent.tools, spec.name);
  const policy = memberOf(agent.policies, spec.name);
  const isFile = spec.kind === 'internal' && own === undefined;
  const originOf = (field: PolicyField): PolicyOrigin | undefined => {
    if (field === 'execution' && agent.execution === 'serial') return 'agent';
    if (policy?.[field] !== undefined) return 'policies';
    if (own?.[field] !== undefined || (isFile && field === 'effect')) return 'tool';
    if (field === 'heartbeatTimeout' && agent.limits?.heartbeatTimeout !== undefined) return 'limits';
    if (server === undefined) return undefined;
    if ((field === 'timeout' || field === 'execution') && server[field] !== undefined) return 'server';
    return field === 'effect' && spec.effect !== DEFAULT_POLICY.effect ? 'MCP hint (trusted)' : undefined;
  };
  const hint = server === undefined || server.trusted === true ? undefined : hintedEffect(spec.annotations);
  return {
    name: spec.name,
    modelName: spec.modelName,
    kind: isFile ? 'file' : spec.kind,
    effect: spec.effect,
    priority: spec.priority,
    timeout: spec.timeout,
    heartbeatTimeout: spec.heartbeatTimeout ?? limits.heartbeatTimeout,
    attempts: spec.attempts,
    placement: spec.placement,
    cancellation: spec.cancellation,
    execution: agent.execution === 'serial' || spec.serial !== undefined ? 'serial' : 'parallel',
    from: Object.fromEntries(FIELDS.map((field) => [field, originOf(field)]).filter(([, origin]) => origin)),
    ...defined({ untrustedHint: hint }),
  };
}

function memberOf<Value>(members: { readonly [name: string]: Value } = {}, name: string): Value | undefined {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

function hintedEffect(hints: JsonObject = {}): 'read' | 'idempotent' | undefined {
  if (hints.readOnlyHint === true) return 'read';
  return hints.idempotentHint === true ? 'idempotent' : undefined;
}
