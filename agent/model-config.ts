/** One model of a worker's configuration: any server that speaks OpenAI's chat completions. */
export interface ModelConfig {
  /** Where the API lives, such as `https://api.openai.com/v1`. */
  baseUrl: string;
  /** The provider's name of the model. */
  model: string;
  /** Sent as a bearer token; servers without accounts need none. */
  apiKey?: string;
  /** Sent with every request, beside the key. */
  headers?: { readonly [name: string]: string };
  /** Tokens that fit into one call, answer included. */
  contextWindow?: number;
  /** Most tokens of one answer. */
  maxTokens?: number;
  /** Sent as it is. Default: the server's. */
  temperature?: number;
  /** Price of a million tokens; `executionUnits` are then money, else they are tokens. */
  prices?: { prompt: number; completion: number; cached?: number };
  /** Milliseconds without a chunk after which a stream counts as dead. Default 60,000. */
  idleTimeout?: number;
}
