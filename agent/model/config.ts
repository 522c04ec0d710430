import type { NamedLimits } from '../leases/model-limits';
import type { ModelAdapter } from './adapter';
import type { Money } from './cost/money';
import type { Usage } from './cost/usage';
import type { ModelSettings } from './settings';
import type { StructuredOutput } from './structured-output';

/**
 * A price list, or a function that returns the money for a call: an amount in US dollars, or an amount with its
 * currency. `model` is the provider's name of the model that answered. If the function throws, or returns no amount of
 * at least 0, the units of the call are tokens, it has no `cost`, and the worker's log has a warning.
 */
export type Prices = PriceList | ((usage: Usage, about: { model: string }) => number | Money);

/** Money for a million tokens. */
export interface PriceList {
  /** Tokens sent. */
  prompt: number;
  /** Tokens of the answer. */
  completion: number;
  /** Tokens sent that the provider reads from its cache. Default: `prompt`. */
  cached?: number;
  /** Tokens sent that the provider writes to its cache. Default: `prompt`. */
  cacheWritten?: number;
  /** ISO 4217 code. Default `USD`. */
  currency?: string;
}

/** What every model of a worker's configuration can have. */
export interface ModelOptions extends ModelSettings {
  /** Tokens that fit into one call, including the answer. */
  contextWindow?: number;
  /** `small`: agents whose first model this is are for small models, see `modelClass` of `defineAgent`. */
  modelClass?: 'small';
  /**
   * How the model is asked for the output of an agent with `outputSchema`. Default: what the adapter states, `schema` for
   * servers with OpenAI's APIs. A server that refuses it is asked in the next way, for the rest of the run.
   */
  structuredOutput?: StructuredOutput;
  /** Prices. With them the model's `executionUnits` are money and its calls have a `cost`; else the units are tokens. */
  prices?: Prices;
  /** Milliseconds without a byte after which an answer counts as dead. Default 60,000. */
  idleTimeout?: number;
  /**
   * Milliseconds until an answer must be complete, however fast it arrives. The call is not retried: it would take as
   * long, and it is paid for. Default: what the agent's `limits.modelTimeout` leaves.
   */
  answerTimeout?: number;
  /** What all workers of the namespace together may ask of the model. Default: no limit of ours. */
  limits?: NamedLimits;
  /**
   * Milliseconds that a run waits for this model while it does not answer or limits the rate, or until a person has mended
   * what is wrong with its key, account or name. Default 24 h, or 2 min if another model of the chain or a static answer
   * follows.
   */
  patience?: number;
}

export interface AnyModel extends ModelOptions {
  /** The provider's name of the model. */
  model: string;
}

/** A model behind a server with one of OpenAI's APIs, as most servers and gateways have them. */
export interface ServerModel extends AnyModel {
  /** URL of the API, such as `https://api.openai.com/v1`: its path without that of an endpoint, and a query, if there is one. */
  baseUrl: string;
  /** `chat`: OpenAI's chat completions, as most servers have them. `responses`: OpenAI's Responses. Default `chat`. */
  api?: 'chat' | 'responses';
  /** Sent as a bearer token. Servers without accounts need none. */
  apiKey?: string;
  /** Sent with every request, in addition to the key. */
  headers?: { readonly [name: string]: string };
  /**
   * Maximum bytes of one answer as it arrives, decompressed and with the frames of its stream. Default 67,108,864 (64
   * MB): 200,000 tokens in frames of about 330 bytes.
   */
  maxAnswerBytes?: number;
}

/** A model behind an adapter, as `aiSdk` and `defineModel` make it. */
export interface AdaptedModel extends AnyModel {
  /** What speaks with the provider. */
  adapter: ModelAdapter;
}

/** One model of a worker's configuration. */
export type ModelConfig = ServerModel | AdaptedModel;

/** Whether a model is reached through an adapter of its own. */
export function isAdapted(config: ModelConfig): config is AdaptedModel {
  return 'adapter' in config;
}
