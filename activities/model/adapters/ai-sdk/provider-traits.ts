import type { JsonObject } from '../../../../agent/values/json';
import type { ProviderOptions } from './request/prompt-form';

/** Where providers differ beyond the specification. */
interface Traits {
  /** The options that ask for one call at a time, where the provider has them. */
  oneCallAtATime?: ProviderOptions;
  /** The mark of a prefix to be cached, where the provider wants marks. */
  cacheMark?: ProviderOptions;
  /** Whether a model takes the mark. Default: all models do. */
  isMarked?: (model: string) => boolean;
  /** Whether a result of a tool may hold such media. Default: it holds a text, in which most packages write media as JSON. */
  holdsMedia?: (mediaType: string, model: string) => boolean;
}

const isImage = (mediaType: string) => mediaType.startsWith('image/');

const ANTHROPIC: Traits = {
  oneCallAtATime: { anthropic: { disableParallelToolUse: true } },
  cacheMark: { anthropic: { cacheControl: { type: 'ephemeral' } } },
  holdsMedia: (mediaType) => isImage(mediaType) || mediaType === 'application/pdf',
};

/** Amazon's Converse API. Models without a cache refuse its marks. */
const BEDROCK: Traits = {
  cacheMark: { bedrock: { cachePoint: { type: 'default' } } },
  /** Claude from 3.7 on; older ones, and those behind an address of the account, are marked on request. */
  isMarked: (model) => /\banthropic\.claude-(?!instant|v\d|3-(opus|sonnet|haiku|5))/.test(model),
  holdsMedia: () => true,
};

const OPENAI: Traits = { oneCallAtATime: { openai: { parallelToolCalls: false } } };

/** A gateway to other providers, whose names begin those of its models. */
const GATEWAY: Traits = {
  holdsMedia: (mediaType, model) => /^(anthropic|google|openai)\//.test(model) && isImage(mediaType),
};

/** What is known of a provider, by its name. Anthropic's models at other places have names like `vertex.anthropic`. */
export function traitsOf(provider: string): Traits {
  if (provider.includes('anthropic')) return ANTHROPIC;
  const [name = '', api] = provider.split('.');
  if (name === 'amazon-bedrock') return BEDROCK;
  // A server of this name behind the package for compatible ones is `google.chat`.
  if (/^(google\.(generative-ai|vertex)|openrouter$)/.test(provider)) return { holdsMedia: () => true };
  if (name === 'gateway') return GATEWAY;
  const isResponses = api === 'responses';
  // The providers whose options have OpenAI's name for it.
  if (name === 'openai' || name === 'azure') return isResponses ? { ...OPENAI, holdsMedia: () => true } : OPENAI;
  if (name === 'groq' || name === 'xai' || name === 'mistral') {
    const oneCallAtATime = { [name]: { parallelToolCalls: false } };
    return name === 'xai' && isResponses ? { oneCallAtATime, holdsMedia: isImage } : { oneCallAtATime };
  }
  return {};
}

/** The mark for providers that a user says want Anthropic's. */
export const DEFAULT_MARK: ProviderOptions = ANTHROPIC.cacheMark ?? {};

/** Joins options: those of `over` win, field by field. */
export function joinedOptions(...all: readonly (ProviderOptions | undefined)[]): ProviderOptions | undefined {
  const joined: { [provider: string]: JsonObject } = {};
  for (const options of all) {
    for (const [provider, fields] of Object.entries(options ?? {})) {
      joined[provider] = { ...joined[provider], ...fields };
    }
  }
  return Object.keys(joined).length === 0 ? undefined : joined;
}
