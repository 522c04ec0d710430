import type { AgentState } from '../agent/state';

/**
 * Whether the model is called once more: freely while the quota lasts, then once, uncounted, to conclude. After that
 * the run is exhausted.
 */
export function gate({ toolInteractions, concluding }: AgentState): 'call' | 'conclude' | 'exhausted' {
  if (concluding) return 'exhausted';
  return toolInteractions.current < toolInteractions.max ? 'call' : 'conclude';
}
