import type { Usage } from '../../../../agent/model/answer';
import { isJsonObject } from '../../../../agent/values/json';
import { tokenCount } from '../../answer/usage';

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
    reasoning: tokenCount(completion.reasoning_tokens),
  };
}
