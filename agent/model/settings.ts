import type { JsonObject } from '../values/json';

/** Whether the model may call tools: as it likes, not at all, at least one, or a certain one. */
export type ToolChoice = 'auto' | 'none' | 'required' | { tool: string };

/** How a model answers. Each setting is sent to the provider unchanged; without it, the provider's default holds. */
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
  /** Fields that are added to the body of each request, and replace those of the same name. */
  extraBody?: JsonObject;
  /** Headers that are sent with each request. */
  extraHeaders?: { readonly [name: string]: string };
  /** Options of AI SDK providers, by provider: `{ anthropic: { thinking: … } }`. */
  providerOptions?: { readonly [provider: string]: JsonObject };
}
