import type { AgentState } from '../../../agent/state/state';

/** Whether the run takes one message after the other, until it is closed. */
export function isConversation({ manifest }: Pick<AgentState, 'manifest'>): boolean {
  return manifest?.mode === 'conversation';
}

/** Whether the run knows its agent and its system prompt, or never will: before that nothing can be said to it. */
export function isDescribed({ context, end }: Pick<AgentState, 'context' | 'end'>): boolean {
  return context !== undefined || end !== undefined;
}
