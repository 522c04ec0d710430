import { workflowInfo } from '@temporalio/workflow';
import { isAgentName } from '../../agent/define/agent-name';
import { HoldfastError } from '../../agent/errors/error';
import { DELEGATION_PROBLEM } from '../../agent/prompts/calls/refused-calls';
import type { ServiceSpec } from '../../agent/protocol/service-spec';
import type { AgentState } from '../../agent/state/state';

/** Most agents in a chain of delegation. Deeper chains are mistakes, and each level costs a run. */
const MAX_DEPTH = 8;
/** Prefix of the type of events that an agent accepts; its name follows. */
const AGENT_EVENT = 'arvo.orc.';
/** Memo field that passes the agents above a child to it, where its only argument is the caller's own data. */
export const LINEAGE_MEMO = 'holdfastLineage';

/** Agents from the first one down to this run. */
export function lineageOf({
  delegatedBy,
  above,
  agent,
}: Pick<AgentState, 'delegatedBy' | 'above' | 'agent'>): string[] {
  return [...(delegatedBy?.lineage ?? above ?? []), agent];
}

/** Reads the agents that the event or the memo of an external sender names. */
export function readLineage(text: unknown): string[] {
  if (typeof text !== 'string') return [];
  return text
    .split(',')
    .filter(isAgentName)
    .slice(0, 2 * MAX_DEPTH);
}

export function lineageInMemo(): { lineage?: string } {
  const lineage = workflowInfo().memo?.[LINEAGE_MEMO];
  return typeof lineage === 'string' ? { lineage } : {};
}

export function writeLineage(state: AgentState): string {
  return lineageOf(state).join(',');
}

/** The agent that a service reaches, as far as its contract or the name of its workflow shows it. */
export function agentReached(service: ServiceSpec): string | undefined {
  const { accepts } = service.contract;
  switch (service.kind) {
    case 'agent':
      return service.workflow;
    case 'child':
      return isAgentName(service.workflow) ? service.workflow : undefined;
    case 'event':
      return accepts.startsWith(AGENT_EVENT) ? accepts.slice(AGENT_EVENT.length) : undefined;
    case 'signal':
      return undefined;
  }
}

/** Why a run must not delegate to an agent; `undefined` where it may. */
export function delegationProblem(lineage: readonly string[], agent: string): string | undefined {
  const chain = [...lineage, agent].join(' → ');
  if (lineage.includes(agent)) return DELEGATION_PROBLEM.cycle(chain);
  if (lineage.length >= MAX_DEPTH) return DELEGATION_PROBLEM.depth(MAX_DEPTH, chain);
  return undefined;
}

/**
 * The same check for a run that has been started: an intermediary may have changed the type of the event.
 * @throws HoldfastError `DelegationRefused`
 */
export function refuseCycle(state: AgentState): void {
  const lineage = lineageOf(state).slice(0, -1);
  const problem = delegationProblem(lineage, state.agent);
  if (problem !== undefined) throw new HoldfastError('DelegationRefused', { agent: state.agent, problem });
}
