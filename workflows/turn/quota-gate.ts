import { HoldfastError } from '../../agent/errors/error';
import type { AgentState } from '../../agent/state/state';
import { defined } from '../../agent/values/defined';
import type { Verdict } from './verdict';

/**
 * Whether the model is called again: freely while the quota lasts, then once, uncounted, to conclude. A message that
 * arrives meanwhile starts a new quota.
 * @throws HoldfastError `ToolQuotaExhausted` after the concluding call
 */
export function gate({ toolInteractions, concluding, steers, rejected }: AgentState): Verdict {
  const { current, max } = toolInteractions;
  if (steers.length > 0) return { to: 'think', conclude: false };
  if (concluding) throw new HoldfastError('ToolQuotaExhausted', { max, ...defined({ problem: rejected?.problem }) });
  return { to: 'think', conclude: current >= max };
}
