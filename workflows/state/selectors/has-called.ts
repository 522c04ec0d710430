import type { AgentState } from '../../../agent/state/state';

/** Whether the model has called a tool in this exchange, even one that was not run. */
export function hasCalled({ messages, opened }: AgentState): boolean {
  return messages.slice(Math.max(0, opened)).some(({ parts }) => parts.some(({ type }) => type === 'tool_use'));
}
