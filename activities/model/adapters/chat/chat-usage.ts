import type { Usage } from '../../../../agent/model/cost/usage';
import { isJsonObject } from '../../../../agent/values/json';
import { tokenCount } from '../../usage/reported';

/** Usage as a server sent it; `undefined` if it sent none. */
export function chatUsage(raw: unknown): Usage | undefined {
  if (!isJsonObject(raw)) return undefined;
  const prompt = isJsonObject(raw.prompt_tokens_details) ? raw.prompt_tokens_details : {};
  const completion = isJsonObject(raw.completion_tokens_details) ? raw.completion_tokens_details : {};
  const usage = {
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
  return withReasoning(usage, tokenCount(raw.total_tokens));
}

/**
 * Some count the tokens of reasoning beside those of the completion, and in the total: xAI also names them, Gemini's
 * endpoint does not. A rest of the total may be something else where a cache was used.
 */
function withReasoning(usage: Required<Omit<Usage, 'estimated'>>, total: number): Usage {
  const { prompt, completion, cached, cacheWritten, reasoning } = usage;
  const rest = Math.min(prompt, completion) < 0 ? 0 : total - prompt - completion;
  const isReasoning = rest === reasoning || (reasoning === 0 && cached === 0 && cacheWritten === 0);
  return rest > 0 && isReasoning ? { ...usage, completion: completion + rest, reasoning: rest } : usage;
}
