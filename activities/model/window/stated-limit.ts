import { defined } from '../../../agent/values/defined';

/** What a server says of a call that was too long. Tokens. */
export interface StatedLimit {
  /** What fits. */
  limit?: number;
  /** What the call had. */
  asked?: number;
}

// How OpenAI and vLLM, llama-server, Anthropic, Gemini, Mistral, xAI and TGI put it.
const LIMIT =
  /context length (?:is|of) (\d+)|context size \((\d+)|> (\d+) maximum|tokens allowed \((\d+)|with (\d+) maximum|prompt length is (\d+)|must be <= (\d+)/i;
const ASKED =
  /resulted in (\d+)|\((\d+) in (?:the|your) (?:messages|prompt)|request \((\d+) tokens|too long: (\d+)|token count \((\d+)|contains (\d+) tokens|given: (\d+) `?inputs/i;

/** Reads the numbers in a server's message, where it has any. */
export function statedLimit(message: string): StatedLimit {
  // Some write 128,000.
  const text = message.replace(/(\d),(?=\d{3}\b)/g, '$1');
  const limit = firstNumber(LIMIT.exec(text));
  const asked = firstNumber(ASKED.exec(text));
  return { ...defined({ limit, asked }) };
}

function firstNumber(match: RegExpExecArray | null): number | undefined {
  const digits = match?.slice(1).find((group) => group !== undefined);
  return digits === undefined ? undefined : Number(digits);
}
