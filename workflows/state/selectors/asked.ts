import type { CallModelInput } from '../../../agent/protocol/calls/model-call';
import type { AgentState } from '../../../agent/state/state';

/** The model that is asked next, with the turn since which it has been. 0: since the beginning of this history. */
export function askedNext({ asked, turn }: AgentState, model: string): NonNullable<AgentState['asked']> {
  if (asked?.model === model) return asked;
  return { model, since: asked === undefined ? 0 : turn };
}

/** Which media of the exchange are shown again: those that only another model has seen, or that an answer was dropped for. */
export function mediaAgain(state: AgentState, model: string): Pick<CallModelInput, 'mediaAgain'> {
  const { since } = askedNext(state, model);
  const from = state.messages[Math.max(0, state.opened)]?.turn ?? 0;
  return since > from + 1 ? { mediaAgain: { from, since } } : {};
}
