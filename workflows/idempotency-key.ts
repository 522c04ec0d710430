import type { AgentState } from '../agent/state';

/** Names one call of a run for ever: what must not act twice hangs on it, and the event of a service call is named by it. */
export function idempotencyKey({ firstRunId }: Pick<AgentState, 'firstRunId'>, toolUseId: string): string {
  return `${firstRunId}/${toolUseId}`;
}
