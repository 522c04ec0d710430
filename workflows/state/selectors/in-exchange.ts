import type { Message } from '../../../agent/model/message';
import type { CallModelInput } from '../../../agent/protocol/calls/model-call';
import type { AgentState } from '../../../agent/state/state';

/** Whether the model has called a tool in this exchange, even one that was not run. */
export function hasCalled(state: AgentState): boolean {
  return ofExchange(state).some(({ parts }) => parts.some(({ type }) => type === 'tool_use'));
}

/** Whether a model has answered in this exchange. */
export function hasAnswered(state: AgentState): boolean {
  return ofExchange(state).some(({ role }) => role === 'assistant');
}

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

function ofExchange({ messages, opened }: AgentState): readonly Message[] {
  return messages.slice(Math.max(0, opened));
}
