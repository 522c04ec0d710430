import { toJsonSchema } from '../../agent/contracts/schema';
import type { Agent, Mode } from '../../agent/define/agent-definition';
import type { JsonSchema } from '../../agent/protocol/manifest';

/** An agent as callers see it. */
export interface AgentInfo {
  agent: Agent;
  name: string;
  description?: string;
  mode: Mode;
  /** JSON Schema of its input. Missing: it takes any JSON. */
  inputSchema?: JsonSchema;
}

export function agentInfo(agent: Agent): AgentInfo {
  const { name, definition } = agent;
  const { description, mode = 'task', inputSchema } = definition;
  return {
    agent,
    name,
    mode,
    ...(description === undefined ? {} : { description }),
    ...(inputSchema === undefined ? {} : { inputSchema: toJsonSchema(inputSchema) }),
  };
}
