import { type ChatRequest, call, type ModelReply, text } from 'holdfast/testing';

/** Plays a model that books a room and reports the outcome. */
export function play({ messages }: ChatRequest): ModelReply {
  const result = messages.findLast(({ role }) => role === 'tool')?.content;
  if (result === undefined) return call('rooms_book_room', { day: 'Friday' });
  return text(/^\w+ is booked/.test(String(result)) ? 'You have a room on Friday.' : 'You have no room.');
}
