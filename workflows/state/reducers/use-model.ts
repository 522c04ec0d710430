import type { ContextBudget, ContextWindow } from '../../../agent/model/context-window';
import type { AgentState } from '../../../agent/state/state';
import { defined } from '../../../agent/values/defined';
import { modelInUse } from '../selectors/model-in-use';

type Using = Pick<AgentState, 'manifest' | 'model' | 'chosen' | 'trimming' | 'budget'>;

/**
 * The run asks the model at this place of its chain. What a call of another model taught about its window and its
 * counting says nothing about this one, and what did not fit there may fit here.
 */
export function useModel<State extends Using>(state: State, place: Pick<AgentState, 'model' | 'chosen'>): State {
  const next = { ...state, ...place };
  if (modelInUse(next) === modelInUse(state)) return next;
  const { trimming, budget } = state;
  return { ...next, trimming: untaught(trimming), ...defined({ budget: budget && withoutWindow(budget) }) };
}

/** What a summary covers stays left out. */
function untaught({ from, summary, shortened }: ContextWindow): ContextWindow {
  return { from: summary === undefined ? 0 : from, ...defined({ summary, shortened }) };
}

function withoutWindow({ total: _, remaining: __, ...used }: ContextBudget): ContextBudget {
  return used;
}
