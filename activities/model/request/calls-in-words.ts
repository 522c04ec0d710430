import type { ModelMessage } from '../../../agent/model/adapter';
import { callInWords, resultInWords } from '../../../agent/prompts/plans';
import { remembered } from '../../../agent/values/remembered';

type Answer = Extract<ModelMessage, { role: 'assistant' }>;

const text = (said: string) => ({ type: 'text' as const, text: said });

/**
 * A transcript with calls, and what came of them, as text.
 * @param isInWords chooses the answers whose calls are text. Default: all
 */
export function callsInWords(
  messages: readonly ModelMessage[],
  isInWords: (answer: Answer) => boolean = () => true,
): ModelMessage[] {
  let results = true;
  return messages.map((message) => {
    if (message.role === 'assistant' && hasCalls(message)) results = isInWords(message);
    return results ? inWords(message) : message;
  });
}

/**
 * Whether an answer with calls has nothing that only its provider understands: another model gave it, or this one gave
 * neither a thought nor a signature.
 */
export function isUnsigned({ content, providerData, reasoningField }: Answer): boolean {
  const isSigned = (part: Answer['content'][number]) => 'providerData' in part && part.providerData !== undefined;
  return providerData === undefined && reasoningField === undefined && !content.some(isSigned);
}

function hasCalls({ content }: Answer): boolean {
  return content.some(({ type }) => type === 'call');
}

/** Each later call of a run sends it again. */
const inWords = remembered((message: ModelMessage): ModelMessage => {
  if (message.role === 'tool') {
    const { name, content, isError } = message;
    return { role: 'user', content: [text(resultInWords(name, isError === true)), ...content] };
  }
  if (message.role === 'user' || !hasCalls(message)) return message;
  // What the provider gave belongs to the calls.
  const content = message.content.flatMap((part) => {
    if (part.type === 'reasoning') return [];
    return part.type === 'call' ? [text(callInWords(part.name, JSON.stringify(part.input)))] : [part];
  });
  return { role: 'assistant', content };
});
