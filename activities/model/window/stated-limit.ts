import { defined } from '../../../agent/values/defined';

/** The numbers in a server's message about a call that was too long. Tokens. */
export interface StatedLimit {
  /** How many fit. */
  limit?: number;
  /** How many the call had. */
  asked?: number;
}

// The wordings of OpenAI and vLLM, llama-server, Anthropic, Gemini, Mistral, xAI, TGI, SGLang, Moonshot, DashScope, GitHub
// Copilot and Cohere.
const LIMIT =
  /context length (?:is|of) (\d+)|context (?:size|length) \((\d+)|> (\d+) maximum|tokens allowed \((\d+)|with (\d+) maximum|prompt length is (\d+)|must be <= (\d+)|maximum model length of (\d+)|less than (\d+) tokens|model token limit: (\d+)|should be \[1, (\d+)|the limit of (\d+)|cannot exceed (\d+)/i;
const ASKED =
  /resulted in (\d+)|\((\d+) in (?:the|your) (?:messages|prompt)|(?:request|input) \((\d+) tokens|too long: (\d+)|token count (?:of |\()(\d+)|contains (\d+) tokens|given: (\d+)|prompt \(length (\d+)|requested: (\d+)/i;

/** Reads the numbers in a server's message, if it has any. */
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
