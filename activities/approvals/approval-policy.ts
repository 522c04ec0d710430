import type { ApprovalPolicy } from '../../agent/approvals/approval';
import type { AgentDefinition } from '../../agent/define/agent-definition';

/**
 * Which calls of a tool wait for a person, as its agent says now: the agent's `policies` go over what a tool or a service
 * says of itself. `undefined` where the tool is gone, or nobody says anything of it.
 */
export function approvalPolicy(agent: AgentDefinition | undefined, name: string): ApprovalPolicy | undefined {
  if (agent === undefined) return undefined;
  const { policies = {}, tools = {}, services = {} } = agent;
  const own = Object.hasOwn(tools, name) ? tools[name] : Object.hasOwn(services, name) ? services[name] : undefined;
  return (Object.hasOwn(policies, name) ? policies[name]?.approval : undefined) ?? own?.approval;
}
