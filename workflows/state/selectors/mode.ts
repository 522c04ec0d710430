import type { AgentState } from '../../../agent/state/state';

/** Whether the run takes one message after the other until it is closed. */
export function isConversation({ manifest }: Pick<AgentState, 'manifest'>): boolean {
  return manifest?.mode === 'conversation';
}
