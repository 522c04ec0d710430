import type { ContentPart, Message } from '../model/message';

/** Characters under which a result stays as it is: one line would save nothing. */
const SHORT = 200;

/** Whether a message has a result that one line would replace. Errors stay: the model learns from them. */
export function isLong({ parts }: Message): boolean {
  return parts.some((part) => part.type === 'tool_result' && part.isError !== true && charsOf(part.content) > SHORT);
}

/** Media count as much as a long text. */
export function charsOf(content: readonly ContentPart[]): number {
  return content.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 1 + SHORT), 0);
}
