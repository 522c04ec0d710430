import { defined } from '../values/defined';
import type { JsonObject } from '../values/json';

/** Whether the model may call tools: as it likes, not at all, at least one, or a certain one. */
export type ToolChoice = 'auto' | 'none' | 'required' | { tool: string };

/**
 * How a model answers: fields of its alias, and of an agent's `modelSettings`, which win. Each setting is sent to the
 * provider unchanged; without it, the provider's default holds.
 */
export interface ModelSettings {
  /** Randomness, from 0. */
  temperature?: number;
  /** Probability mass of the tokens to choose from, over 0 to 1. */
  topP?: number;
  /** Maximum tokens of one answer. */
  maxTokens?: number;
  /** Texts that end an answer. */
  stop?: readonly string[];
  /** The same seed asks for the same answer. */
  seed?: number;
  /** How much the model reasons, in the provider's words, such as `low` or `high`. */
  reasoningEffort?: string;
  /** `false` asks for one call at a time. */
  parallelToolCalls?: boolean;
  /** Whether tools are called. `required` and a certain tool hold until a tool has been called in the exchange. */
  toolChoice?: ToolChoice;
  /** The provider's class of service, such as `flex`. */
  serviceTier?: string;
  /**
   * Fields that are added to the body of each request, and replace those of the same name. Those of an agent are in the
   * history of its runs: keep keys in the configuration.
   */
  extraBody?: JsonObject;
  /** Headers that are sent with each request. Their values are secrets: they are in no history, span or error. */
  extraHeaders?: { readonly [name: string]: string };
  /** Options of AI SDK providers, by provider: `{ anthropic: { thinking: … } }`. */
  providerOptions?: { readonly [provider: string]: JsonObject };
}

/** Names of the settings. */
export const SETTINGS: readonly string[] = Object.keys({
  temperature: true,
  topP: true,
  maxTokens: true,
  stop: true,
  seed: true,
  reasoningEffort: true,
  parallelToolCalls: true,
  toolChoice: true,
  serviceTier: true,
  extraBody: true,
  extraHeaders: true,
  providerOptions: true,
} satisfies { [Name in keyof Required<ModelSettings>]: true });

/** The settings among the fields of an object, such as the configuration of a model. */
export function settingsOf(fields: ModelSettings): ModelSettings {
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => SETTINGS.includes(name) && value !== undefined),
  );
}

/**
 * The settings of an agent before those of an alias. Fields of `extraBody`, headers and the options of a provider are
 * merged one by one; every other setting is taken as a whole.
 */
export function mergeSettings(alias: ModelSettings, agent: ModelSettings): ModelSettings {
  const [below, above] = [settingsOf(alias), settingsOf(agent)];
  const { extraBody, extraHeaders, providerOptions } = above;
  return {
    ...below,
    ...above,
    ...defined({
      extraBody: extraBody && { ...below.extraBody, ...extraBody },
      extraHeaders: extraHeaders && { ...without(below.extraHeaders, extraHeaders), ...extraHeaders },
      providerOptions: providerOptions && mergeOptions(below.providerOptions, providerOptions),
    }),
  };
}

type Headers = NonNullable<ModelSettings['extraHeaders']>;
type Options = NonNullable<ModelSettings['providerOptions']>;

/** Names of headers are the same in any case. */
function without(headers: Headers = {}, names: Headers): Headers {
  const taken = new Set(Object.keys(names).map((name) => name.toLowerCase()));
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !taken.has(name.toLowerCase())));
}

function mergeOptions(below: Options = {}, above: Options): Options {
  const merged = Object.entries(above).map(([provider, options]) => [provider, { ...below[provider], ...options }]);
  return { ...below, ...(Object.fromEntries(merged) as Options) };
}
