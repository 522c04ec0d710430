import { type Message, textOf } from '../model/message';

/** Characters of the message that opened the exchange: about 250 tokens, as many as small embedding models read. */
const OPENING = 1000;
/** Characters of each later text. */
const LATER = 300;

/**
 * What the conversation currently needs, as a text to which tools are compared: what the person asked for, what the
 * model said last, and what was said to it last. Results of tools are not in it: they are about what is done. With an
 * answer such as "yes", the model's question says what is needed.
 */
export function needOf(messages: readonly Message[], opened: number): string {
  const opening = textAt(messages[opened], OPENING);
  const said = textAt(
    messages.findLast(({ role, parts }) => role === 'assistant' && hasText(parts)),
    LATER,
  );
  const told = textAt(
    messages.findLast(({ role, parts }) => role === 'user' && hasText(parts)),
    LATER,
  );
  const isOpening = opening.startsWith(told);
  return [opening, ...(isOpening ? [] : [told]), said].filter((text) => text !== '').join('\n');
}

function hasText(parts: Message['parts']): boolean {
  return parts.some((part) => part.type === 'text' && part.text.trim() !== '');
}

function textAt(message: Message | undefined, length: number): string {
  return message === undefined ? '' : textOf(message).trim().slice(0, length);
}
