import type { AgentDefinition } from '../agent/define/agent-definition';

/**
 * Whether calls of an agent may wait for a person, so that decisions may be remembered. Tools of MCP servers ask by
 * their hints, and a service may bring decisions on tools.
 */
export function mayAsk({ tools = {}, services = {}, policies = {}, mcp = {} }: AgentDefinition): boolean {
  const rules = [...Object.values(tools), ...Object.values(policies)].map(({ approval }) => approval ?? 'never');
  return [services, mcp].some((all) => Object.keys(all).length > 0) || rules.some((rule) => rule !== 'never');
}
