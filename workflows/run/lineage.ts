import { workflowInfo } from '@temporalio/workflow';
import { isAgentName } from '../../agent/define/agent-name';
import { HoldfastError } from '../../agent/errors/error';
import type { ServiceSpec } from '../../agent/protocol/manifest';
import type { AgentState } from '../../agent/state/state';

/** Agents that may stand above one another: deeper chains are mistakes, and each level costs a run. */
const MAX_DEPTH = 8;
/** Type of the events that an agent accepts, before its name. */
const AGENT_EVENT = 'arvo.orc.';
/** The memo field of a child in which the agents above it travel where its only argument is the caller's own data. */
export const LINEAGE_MEMO = 'holdfastLineage';

/** Agents from the first one down to this run. */
export function lineageOf({
  delegatedBy,
  above,
  agent,
}: Pick<AgentState, 'delegatedBy' | 'above' | 'agent'>): string[] {
  return [...(delegatedBy?.lineage ?? above ?? []), agent];
}

/** Agents as an event, or a memo, of an outsider names them. */
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

/** The agent that a service reaches, as far as its contract, or its workflow's name, says so. */
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

/** Why a run must not ask an agent; `undefined` where it may. */
export function delegationProblem(lineage: readonly string[], agent: string): string | undefined {
  const chain = [...lineage, agent].join(' → ');
  if (lineage.includes(agent)) return `it would wait for itself (${chain})`;
  if (lineage.length >= MAX_DEPTH) return `at most ${MAX_DEPTH} agents may delegate to one another (${chain})`;
  return undefined;
}

/**
 * The same for a run that has been started: whoever passed the event on may have given it another type on its way.
 * @throws HoldfastError `DelegationRefused`
 */
export function refuseCycle(state: AgentState): void {
  const lineage = lineageOf(state).slice(0, -1);
  const problem = delegationProblem(lineage, state.agent);
  if (problem !== undefined) throw new HoldfastError('DelegationRefused', { agent: state.agent, problem });
}
