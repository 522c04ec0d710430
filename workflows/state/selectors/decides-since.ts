import type { AgentState } from '../../../agent/state/state';

/**
 * Whether the run began with decisions that the workflow takes since some version of them, see `DECISIONS`. Before a run
 * knows its agent it decides nothing.
 */
export function decidesSince({ manifest }: Pick<AgentState, 'manifest'>, version: number): boolean {
  return (manifest?.decisions ?? 1) >= version;
}
