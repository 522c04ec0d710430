import type { Message, Part } from '../model/message';
import { callInWords, resultInWords } from '../prompts/plans';

/**
 * Messages without calls, one for one: what was called, and what came of it, is text. Some servers refuse calls in a
 * request that has no tools.
 */
export function callsAsText(messages: readonly Message[]): Message[] {
  return messages.map((message) => {
    if (!message.parts.some(({ type }) => type === 'tool_use' || type === 'tool_result')) return message;
    // What providers attach to a message belongs to its calls.
    const { providerData: _, ...rest } = message;
    return { ...rest, parts: message.parts.flatMap(asText) };
  });
}

function asText(part: Part): Part[] {
  switch (part.type) {
    case 'tool_use':
      return [{ type: 'text', text: callInWords(part.name, JSON.stringify(part.input)) }];
    case 'tool_result':
      return [{ type: 'text', text: resultInWords(part.name, part.isError === true) }, ...part.content];
    case 'reasoning':
      return [];
    case 'text':
    case 'media':
      return [part];
  }
}
