import type { ContextBudget, ContextWindow } from '../../../../agent/model/context-window';
import { goOn } from '../../../../agent/prompts/compaction';
import { decidesSince, SINCE } from '../../../../agent/protocol/decisions';
import type { AgentState } from '../../../../agent/state/state';
import { defined } from '../../../../agent/values/defined';
import { modelInUse } from '../../selectors/model-in-use';

type Using = Pick<
  AgentState,
  'manifest' | 'model' | 'chosen' | 'trimming' | 'summary' | 'budget' | 'concluding' | 'notes' | 'phase'
>;

/**
 * The run asks the model at this place of its chain. What a call of another model taught about its window and its
 * counting says nothing about this one, and what did not fit there may fit here.
 */
export function useModel<State extends Using>(state: State, place: Pick<AgentState, 'model' | 'chosen'>): State {
  const next = { ...state, ...place };
  if (modelInUse(next) === modelInUse(state) || !decidesSince(state, SINCE.forgetsWindow)) return next;
  const { trimming, summary, budget, concluding, notes, phase } = state;
  const goesOn = concluding === 'window' && phase.at !== 'idle' && decidesSince(state, SINCE.movesOnFull);
  return {
    ...next,
    ...(goesOn ? { concluding: false, notes: [...notes, goOn()] } : {}),
    trimming: untaught(trimming, summary?.upTo),
    ...defined({ budget: budget && withoutWindow(budget) }),
  };
}

/** What the summary that is sent covers stays left out. */
function untaught({ from, summary, shortened }: ContextWindow, upTo = 0): ContextWindow {
  return { from: summary === undefined ? 0 : Math.min(from, upTo), ...defined({ summary, shortened }) };
}

function withoutWindow({ total: _, remaining: __, ...used }: ContextBudget): ContextBudget {
  return used;
}
