import type { ModelAdapter } from './adapter';
import type { ModelSettings } from './settings';
import type { StructuredOutput } from './structured-output';

/** What every model of a worker's configuration can have. */
interface AnyModel extends ModelSettings {
  /** The provider's name of the model. */
  model: string;
  /** Tokens that fit into one call, including the answer. */
  contextWindow?: number;
  /**
   * How the model is asked for the output of an agent with `outputSchema`. Default: what the adapter states, `schema` for
   * servers with OpenAI's APIs. A server that refuses it is asked in the next way, for the rest of the run.
   */
  structuredOutput?: StructuredOutput;
  /** Prices per million tokens. `executionUnits` are then money, else tokens. */
  prices?: { prompt: number; completion: number; cached?: number };
  /** Milliseconds without a byte after which an answer counts as dead. Default 60,000. */
  idleTimeout?: number;
  /**
   * Milliseconds until an answer must be complete, however fast it arrives. The call is not retried: it would take as
   * long, and it is paid for. Default: what the agent's `limits.modelTimeout` leaves.
   */
  answerTimeout?: number;
  /**
   * Milliseconds that a run waits for this model while it does not answer or limits the rate. Default 24 h, or 2 min if
   * another model of the chain or a static answer follows.
   */
  patience?: number;
}

/** A model behind a server with one of OpenAI's APIs, as most servers and gateways have them. */
export interface ServerModel extends AnyModel {
  /** URL of the API, such as `https://api.openai.com/v1`. */
  baseUrl: string;
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
