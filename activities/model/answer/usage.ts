import type { ModelRequest } from '../../../agent/model/adapter';
import type { Usage } from '../../../agent/model/answer';
import type { ModelConfig } from '../../../agent/model/config';

/** English prose has about four characters per token in every common tokenizer. */
const CHARS_PER_TOKEN = 4;

/**
 * The most tokens of a call that are plausible: a thousand times the largest window. More would use up any budget of a
 * run.
 */
const MAX_TOKENS = 1_000_000_000;

/**
 * Usage as a provider reported it; `undefined` if it is not plausible, or only zeros, as servers send that do not
 * count.
 */
export function checkedUsage({
  prompt,
  completion,
  cached = 0,
  cacheWritten = 0,
  reasoning = 0,
}: Usage): Usage | undefined {
  const usage: Usage = { prompt: tokenCount(prompt), completion: tokenCount(completion) };
  if (usage.prompt === 0 && usage.completion === 0) return undefined;
  if (usage.prompt > MAX_TOKENS || usage.completion > MAX_TOKENS) return undefined;
  // Some servers count reasoning separately from the completion, so it may be larger.
  if (tokenCount(cached) > 0) usage.cached = Math.min(tokenCount(cached), MAX_TOKENS);
  if (tokenCount(cacheWritten) > 0) usage.cacheWritten = Math.min(tokenCount(cacheWritten), MAX_TOKENS);
  if (tokenCount(reasoning) > 0) usage.reasoning = Math.min(tokenCount(reasoning), MAX_TOKENS);
  return usage;
}

/** A number of tokens as a provider sent it; 0 if it is none. */
export function tokenCount(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
}

/** The parts of an answer that count, as far as they have arrived. */
interface Drafted {
  parts: readonly { text: string }[];
  refusal: string;
  calls: { list: readonly { name: string; arguments: string }[] };
}

/** Our own estimate of what a call used, for servers that do not report it and for answers that were cut short. */
export function estimatedUsage(request: ModelRequest, draft: Drafted): Usage {
  const prompt = JSON.stringify([request.system, request.messages, request.tools], withoutMedia).length;
  const said = draft.parts.reduce((sum, part) => sum + part.text.length, draft.refusal.length);
  const called = draft.calls.list.reduce((sum, call) => sum + call.name.length + call.arguments.length, 0);
  return { prompt: tokens(prompt), completion: tokens(said + called) };
}

/** Money if the model has prices, else tokens. */
export function executionUnitsOf(usage: Usage, prices: ModelConfig['prices']): number {
  if (prices === undefined) return usage.prompt + usage.completion;
  const cached = Math.min(usage.cached ?? 0, usage.prompt);
  const cost =
    (usage.prompt - cached) * prices.prompt +
    cached * (prices.cached ?? prices.prompt) +
    usage.completion * prices.completion;
  return cost / 1_000_000;
}

/** Leaves out media: the length of base64 says nothing about the tokens of an image. */
function withoutMedia(key: string, value: unknown): unknown {
  return typeof value === 'string' && (key === 'data' || value.startsWith('data:')) ? '' : value;
}

function tokens(characters: number): number {
  return Math.ceil(characters / CHARS_PER_TOKEN);
}
