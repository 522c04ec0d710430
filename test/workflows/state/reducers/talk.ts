import type { QueuedMessage } from '../../../../agent/conversation/messages';
import type { Message } from '../../../../agent/model/message';
import type { AgentState } from '../../../../agent/state/state';
import { withManifest } from '../fold';

export const said = (text: string) => [{ type: 'text' as const, text }];
export const queued = (more: Partial<QueuedMessage> = {}): QueuedMessage => ({
  parts: said('hello'),
  exchange: 2,
  at: 7,
  ...more,
});
export const user = (text: string, turn: number): Message => ({ role: 'user', parts: said(text), turn });

/** A conversation between two exchanges, some turns old. */
export function talk(more: Partial<AgentState> = {}): AgentState {
  return withManifest({ mode: 'conversation' }, { turn: 3, facts: 40, phase: { at: 'idle' }, ...more });
}
