import type { JsonObject } from '../../../../agent/values/json';
import { CALL_ID, type CallId, callIdBehind } from '../call-ids';
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
  /** Whether a message may have such media. Default: all; packages refuse a request with others, or leave them out. */
  takesMedia?: (mediaType: string) => boolean;
  /** Types of images that it takes. Default: PNG, JPEG, GIF and WebP. */
  images?: RegExp;
  /** It refuses animated GIFs. Default: it takes them. */
  stillImages?: boolean;
  /** It takes images by address, also where its package does not say so. Default: it does. */
  opensImages?: boolean;
  /** A result of a tool may hold media by `url`. Default: it may; other packages fetch them, or leave them out. */
  holdsUrls?: boolean;
  /** The ids of calls that a model takes. Default: any text. */
  callId?: (model: string) => CallId | undefined;
  /** Without tools that may be called, calls and their results are left out of the transcript. */
  dropsCalls?: boolean;
}

const isImage = (mediaType: string) => mediaType.startsWith('image/');

const ANTHROPIC: Traits = {
  oneCallAtATime: { anthropic: { disableParallelToolUse: true } },
  cacheMark: { anthropic: { cacheControl: { type: 'ephemeral' } } },
  holdsMedia: (mediaType) => isImage(mediaType) || mediaType === 'application/pdf',
  callId: () => CALL_ID.anthropic,
};

/** Amazon's Converse API. Models without a cache refuse its marks. */
const BEDROCK: Traits = {
  cacheMark: { bedrock: { cachePoint: { type: 'default' } } },
  /** Claude from 3.7 on; older ones, and those behind an address of the account, are marked on request. */
  isMarked: (model) => /\banthropic\.claude-(?!instant|v\d|3-(opus|sonnet|haiku|5))/.test(model),
  holdsMedia: () => true,
  opensImages: false,
  holdsUrls: false,
  callId: () => CALL_ID.bedrock,
  dropsCalls: true,
};

/** Only newer models open addresses, as the package says. They see the HEIC of phones, and no GIF. */
const GOOGLE: Traits = {
  holdsMedia: () => true,
  images: /^image\/(png|jpe?g|webp|hei[cf]|\*)$/,
  opensImages: false,
  holdsUrls: false,
};

const OPENAI: Traits = {
  oneCallAtATime: { openai: { parallelToolCalls: false } },
  stillImages: true,
  callId: () => CALL_ID.chat,
};
const OPENAI_RESPONSES: Traits = { ...OPENAI, holdsMedia: () => true, callId: () => CALL_ID.responses };

/** Vercel's gateway to other providers. */
const GATEWAY: Traits = {
  holdsMedia: (mediaType, model) => /^(anthropic|google|openai)\//.test(model) && isImage(mediaType),
  callId: callIdBehind,
};

/** What is known of a provider, by its name. Anthropic's models at other places have names like `vertex.anthropic`. */
export function traitsOf(provider: string): Traits {
  if (provider.includes('anthropic')) return ANTHROPIC;
  const [name = '', api] = provider.split('.');
  if (name === 'amazon-bedrock') return BEDROCK;
  // A server of this name behind the package for compatible ones is `google.chat`.
  if (/^google\.(generative-ai|vertex)/.test(provider)) return GOOGLE;
  if (provider === 'openrouter') return { holdsMedia: () => true, callId: callIdBehind };
  if (name === 'gateway') return GATEWAY;
  const isResponses = api === 'responses';
  // The providers whose options have OpenAI's name for it.
  if (name === 'openai' || name === 'azure') return isResponses ? OPENAI_RESPONSES : OPENAI;
  if (name === 'mistral')
    return { oneCallAtATime: { mistral: { parallelToolCalls: false } }, callId: () => CALL_ID.mistral };
  if (name === 'groq' || name === 'xai') {
    // xAI's chat completions have a name of their own.
    const option = provider === 'xai.chat' ? 'parallel_function_calling' : 'parallelToolCalls';
    const oneCallAtATime = { [name]: { [option]: false } };
    return { oneCallAtATime, takesMedia: isImage, ...(name === 'xai' && isResponses ? { holdsMedia: isImage } : {}) };
  }
  if (/^(deepseek|cohere|ollama|workersai)$/.test(name)) return { takesMedia: isImage };
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
