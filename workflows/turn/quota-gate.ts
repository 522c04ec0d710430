import type { AgentState } from '../../agent/state/state';

/**
 * Whether the model is called once more: freely while the quota lasts, then once, uncounted, to conclude. After that
 * the run is exhausted. A person who says something meanwhile gets a new quota.
 */
export function gate({ toolInteractions, concluding, steers }: AgentState): 'call' | 'conclude' | 'exhausted' {
  if (steers.length > 0) return 'call';
  if (concluding) return 'exhausted';
  return toolInteractions.current < toolInteractions.max ? 'call' : 'conclude';
}
