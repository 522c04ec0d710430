import type { ApprovalPolicy } from '../../agent/approvals/approval';
import type { AgentDefinition } from '../../agent/define/agent-definition';
import { FOLLOW_PLAN_TOOL } from '../../agent/strategy/offered-tools';

/**
 * Which calls of a tool wait for a person, by the agent's current definition: the agent's `policies` override what the
 * tool or service declares. `undefined` if the tool is gone or no policy is declared.
 */
export function approvalPolicy(agent: AgentDefinition | undefined, name: string): ApprovalPolicy | undefined {
  if (agent === undefined) return undefined;
  const { policies = {}, tools = {}, services = {}, strategy } = agent;
  if (name === FOLLOW_PLAN_TOOL && typeof strategy === 'object') return strategy.approval;
  const own = Object.hasOwn(tools, name) ? tools[name] : Object.hasOwn(services, name) ? services[name] : undefined;
  return (Object.hasOwn(policies, name) ? policies[name]?.approval : undefined) ?? own?.approval;
}
