import type { Usage } from '../../../../agent/model/cost/usage';
import { isJsonObject } from '../../../../agent/values/json';
import { tokenCount } from '../../usage/reported';

/** Usage as a server sent it; `undefined` if it sent none. */
export function chatUsage(raw: unknown): Usage | undefined {
  if (!isJsonObject(raw)) return undefined;
  const prompt = isJsonObject(raw.prompt_tokens_details) ? raw.prompt_tokens_details : {};
  const completion = isJsonObject(raw.completion_tokens_details) ? raw.completion_tokens_details : {};
  return {
    prompt: tokenCount(raw.prompt_tokens),
    completion: tokenCount(raw.completion_tokens),
    // The second name is DeepSeek's.
    cached: tokenCount(prompt.cached_tokens) || tokenCount(raw.prompt_cache_hit_tokens),
    // The names of OpenRouter, LiteLLM and Anthropic.
    cacheWritten:
      tokenCount(prompt.cache_write_tokens) ||
      tokenCount(prompt.cache_creation_tokens) ||
      tokenCount(raw.cache_creation_input_tokens),
    reasoning: tokenCount(completion.reasoning_tokens),
  };
}
