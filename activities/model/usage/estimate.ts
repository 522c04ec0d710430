/** English prose has about four characters per token in every common tokenizer. */
const CHARS_PER_TOKEN = 4;

/** The parts of an answer that count, as far as they have arrived. */
interface Drafted {
  parts: readonly { text: string }[];
  refusal: string;
  calls: { list: readonly { name: string; arguments: string }[] };
}

interface Sent {
  system?: string | undefined;
  messages: readonly unknown[];
  tools: readonly unknown[];
}

/** Tokens of a request, estimated by its characters. It walks over the whole transcript. */
export function estimatedPrompt({ system, messages, tools }: Sent): number {
  return tokens(JSON.stringify([system, messages, tools], withoutMedia).length);
}

/**
 * Tokens of an answer as far as it has arrived, estimated by its characters.
 * @param unshown characters that are in none of its parts
 */
export function estimatedCompletion({ parts, refusal, calls }: Drafted, unshown = 0): number {
  const said = parts.reduce((sum, part) => sum + part.text.length, refusal.length + unshown);
  return tokens(calls.list.reduce((sum, call) => sum + call.name.length + call.arguments.length, said));
}

/** Leaves out media: the length of base64 says nothing about the tokens of an image. */
function withoutMedia(key: string, value: unknown): unknown {
  return typeof value === 'string' && (key === 'data' || value.startsWith('data:')) ? '' : value;
}

function tokens(characters: number): number {
  return Math.ceil(characters / CHARS_PER_TOKEN);
}
