import type { Usage } from '../../../../agent/model/cost/usage';
import { isJsonObject } from '../../../../agent/values/json';
import { tokenCount } from '../../usage/reported';

/** Usage as a server sent it; `undefined` if it sent none. */
export function responseUsage(raw: unknown): Usage | undefined {
  if (!isJsonObject(raw)) return undefined;
  const input = isJsonObject(raw.input_tokens_details) ? raw.input_tokens_details : {};
  const output = isJsonObject(raw.output_tokens_details) ? raw.output_tokens_details : {};
  return {
    prompt: tokenCount(raw.input_tokens),
    completion: tokenCount(raw.output_tokens),
    cached: tokenCount(input.cached_tokens),
    reasoning: tokenCount(output.reasoning_tokens),
  };
}
