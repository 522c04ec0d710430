import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import type { Usage } from '../../../agent/model/answer';
import type { ModelConfig } from '../../../agent/model/config';
import { isJsonObject } from '../../../agent/values/json';

/** English prose has about four characters per token in every common tokenizer. */
const CHARS_PER_TOKEN = 4;

/**
 * The most tokens of a call that are plausible: a thousand times the largest window. More would use up any budget of a
 * run.
 */
const MAX_TOKENS = 1_000_000_000;

/** Usage as a server sent it; `undefined` if it sent none, or only zeros, as servers do that do not count. */
export function usageOf(raw: unknown): Usage | undefined {
  if (!isJsonObject(raw)) return undefined;
  const usage: Usage = { prompt: count(raw.prompt_tokens), completion: count(raw.completion_tokens) };
  if (usage.prompt === 0 && usage.completion === 0) return undefined;
  if (usage.prompt > MAX_TOKENS || usage.completion > MAX_TOKENS) return undefined;
  const prompt = isJsonObject(raw.prompt_tokens_details) ? raw.prompt_tokens_details : {};
  const completion = isJsonObject(raw.completion_tokens_details) ? raw.completion_tokens_details : {};
  // The second name is DeepSeek's.
  const cached = count(prompt.cached_tokens) || count(raw.prompt_cache_hit_tokens);
  const reasoning = count(completion.reasoning_tokens);
  // Some servers count reasoning separately from the completion, so it may be larger.
  if (cached > 0) usage.cached = Math.min(cached, MAX_TOKENS);
  if (reasoning > 0) usage.reasoning = Math.min(reasoning, MAX_TOKENS);
  return usage;
}

/** The parts of an answer that count, as far as they have arrived. */
interface Drafted {
  parts: readonly { text: string }[];
  refusal: string;
  calls: { list: readonly { name: string; arguments: string }[] };
}

/** Our own estimate of what a call used, for servers that do not report it and for answers that were cut short. */
export function estimatedUsage(request: ChatCompletionCreateParamsStreaming, draft: Drafted): Usage {
  const prompt = JSON.stringify([request.messages, request.tools], withoutMedia).length;
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

function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
}
