import type { ChatMessage } from '../message/chat-message';

/**
 * The messages to show while a stream is read again from its start: what was shown before (`held`) until the stream has
 * caught up with it, so that nothing disappears and comes back.
 */
export function shownMessages(messages: ChatMessage[], held: ChatMessage[] | undefined): ChatMessage[] {
  const before = held?.at(-1);
  if (held === undefined || before === undefined || before.role !== 'assistant') return messages;
  const now = messages.at(-1);
  if (now?.id === before.id) return sizeOf(now) >= sizeOf(before) ? messages : held;
  // Only the partial message is still missing; everything else has not changed.
  return messages.length === held.length - 1 ? held : messages;
}

function sizeOf({ parts }: ChatMessage): number {
  return parts.reduce((sum, part) => sum + 1 + ('text' in part ? part.text.length : 0), 0);
}
