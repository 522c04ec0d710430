import type { Message } from '../../../agent/model/message';
import type { AgentState } from '../../../agent/state/state';

/** Whether the model has called a tool in this exchange, even one that was not run. */
export function hasCalled(state: AgentState): boolean {
  return ofExchange(state).some(({ parts }) => parts.some(({ type }) => type === 'tool_use'));
}

/** Whether a model has answered in this exchange. */
export function hasAnswered(state: AgentState): boolean {
  return ofExchange(state).some(({ role }) => role === 'assistant');
}

function ofExchange({ messages, opened }: AgentState): readonly Message[] {
  return messages.slice(Math.max(0, opened));
}
