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
}

const ANTHROPIC: Traits = {
  oneCallAtATime: { anthropic: { disableParallelToolUse: true } },
  cacheMark: { anthropic: { cacheControl: { type: 'ephemeral' } } },
};

/** Amazon's Converse API. Models without a cache refuse its marks. */
const BEDROCK: Traits = {
  cacheMark: { bedrock: { cachePoint: { type: 'default' } } },
  /** Claude from 3.7 on; older ones, and those behind an address of the account, are marked on request. */
  isMarked: (model) => /\banthropic\.claude-(?!instant|v\d|3-(opus|sonnet|haiku|5))/.test(model),
};

/** What is known of a provider, by its name. Anthropic's models at other places have names like `vertex.anthropic`. */
export function traitsOf(provider: string): Traits {
  if (provider.includes('anthropic')) return ANTHROPIC;
  const [name = ''] = provider.split('.', 1);
  if (name === 'amazon-bedrock') return BEDROCK;
  // The providers whose options have OpenAI's name for it.
  if (name === 'openai' || name === 'azure') return { oneCallAtATime: { openai: { parallelToolCalls: false } } };
  if (name === 'groq' || name === 'xai' || name === 'mistral') {
    return { oneCallAtATime: { [name]: { parallelToolCalls: false } } };
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
