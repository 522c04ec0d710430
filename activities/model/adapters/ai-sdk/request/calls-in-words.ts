import type { ModelMessage } from '../../../../../agent/model/adapter';
import { callInWords, resultInWords } from '../../../../../agent/prompts/plans';

const text = (said: string) => ({ type: 'text' as const, text: said });

/** A transcript without calls, for a request without tools: what was called, and what came of it, is text. */
export function callsInWords(messages: readonly ModelMessage[]): ModelMessage[] {
  return messages.map((message): ModelMessage => {
    if (message.role === 'tool') {
      const { name, content, isError } = message;
      return { role: 'user', content: [text(resultInWords(name, isError === true)), ...content] };
    }
    if (message.role === 'user' || !message.content.some(({ type }) => type === 'call')) return message;
    // What the provider gave belongs to the calls.
    const content = message.content.flatMap((part) => {
      if (part.type === 'reasoning') return [];
      return part.type === 'call' ? [text(callInWords(part.name, JSON.stringify(part.input)))] : [part];
    });
    return { role: 'assistant', content };
  });
}
