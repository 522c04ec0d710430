import { HoldfastError } from '../../agent/errors/error';
import type { Conclusion } from '../../agent/state/conclusion';
import type { AgentState } from '../../agent/state/state';
import { defined } from '../../agent/values/defined';
import { compactionDue } from '../../agent/window/compaction-due';
import { budgetExhausted, exhaustedLimit, reachedAccount } from '../state/selectors/budget';
import { modelInUse } from '../state/selectors/model-in-use';
import type { Verdict } from './verdict';

/**
 * Whether the model is called again: freely while the quota and the budget last, then once, uncounted, to conclude. A
 * message that arrives meanwhile starts a new quota. Old messages are compacted first where the window is short.
 * @param now milliseconds since 1970
 * @throws HoldfastError `ToolQuotaExhausted`, `ModelContextTooLong`, `NoProgress` or `BudgetExhausted` after the
 *   concluding call; `BudgetExhausted` where the budget leaves none
 */
export function gate(state: AgentState, now: number): Verdict {
  const exhausted = exhaustedLimit(state, now);
  if (exhausted !== undefined) throw budgetExhausted(state, exhausted);
  const { concluding, steers } = state;
  if (steers.length === 0 && concluding) throw inconclusive(state, concluding, now);
  if (compactionDue(state)) return { to: 'compact' };
  return { to: 'think', ...defined({ conclude: conclusionOf(state, now) }) };
}

/** Why the next call is the last one. */
function conclusionOf(state: AgentState, now: number): Conclusion | undefined {
  if (reachedAccount(state, now) !== undefined) return 'budget';
  // A message that arrives meanwhile lets the model go on.
  if (state.steers.length > 0) return undefined;
  const { current, max } = state.toolInteractions;
  return current >= max ? 'interactions' : state.breakers?.stop;
}

/** The model was asked to conclude, and gave no valid output. */
function inconclusive(state: AgentState, conclusion: Conclusion, now: number): HoldfastError {
  // During a conclusion of another kind, the budget may have been used up as well.
  const reached = reachedAccount(state, now);
  if (reached !== undefined) return budgetExhausted(state, reached);
  const { toolInteractions, rejected } = state;
  if (conclusion === 'interactions') {
    return new HoldfastError('ToolQuotaExhausted', {
      max: toolInteractions.max,
      ...defined({ problem: rejected?.problem }),
    });
  }
  if (conclusion === 'repeating' || conclusion === 'silent') {
    return new HoldfastError('NoProgress', { why: conclusion, ...defined({ problem: rejected?.problem }) });
  }
  const why = rejected === undefined ? '' : `: ${rejected.problem}`;
  const problem = `the window was almost full, and the last answer gave no valid output${why}`;
  return new HoldfastError('ModelContextTooLong', { model: modelInUse(state), problem });
}
