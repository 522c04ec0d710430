import { isJsonObject } from '../../../../agent/values/json';
import type { AiSdkModel } from './language-model';

/**
 * The address that a provider's object sends its requests to, as far as it lets see it: a text (Anthropic, Google), or
 * a function, of the whole address (OpenAI, Azure, all that are compatible with OpenAI) or of its beginning (Bedrock).
 * Models of the AI SDK's gateway, and wrapped ones, have none.
 */
export function serverOf(model: AiSdkModel): string | undefined {
  const config: unknown = 'config' in model ? model.config : undefined;
  if (!isJsonObject(config)) return undefined;
  const { baseURL, baseUrl, url }: { readonly [name: string]: unknown } = config;
  if (typeof baseURL === 'string') return baseURL;
  try {
    const told: unknown =
      typeof url === 'function'
        ? url({ path: '', modelId: model.modelId })
        : typeof baseUrl === 'function' && baseUrl();
    // A query may have a key, which changes.
    return typeof told === 'string' ? told.split('?', 1)[0] : undefined;
  } catch {
    // A part of the address is missing: the call itself says which.
    return undefined;
  }
}
