import type { Message, Part } from '../../../agent/model/message';
import { resultShortened } from '../../../agent/prompts/compaction';
import { remembered } from '../../../agent/values/remembered';
import { charsOf, isLong } from '../../../agent/window/long-result';

/** The transcript with the long results of tools before index `end` in one line each. */
export function shortenResults(messages: readonly Message[], end = 0): readonly Message[] {
  if (end === 0) return messages;
  return messages.map((message, index) => (index < end ? shortened(message) : message));
}

/** What is made once of a message stays the same object, so that its tokens are counted once. */
const shortened = remembered((message: Message): Message => {
  return isLong(message) ? { ...message, parts: message.parts.map(line) } : message;
});

function line(part: Part): Part {
  if (part.type !== 'tool_result' || part.isError === true) return part;
  return { ...part, content: [{ type: 'text', text: resultShortened(part.toolUseId, charsOf(part.content)) }] };
}
