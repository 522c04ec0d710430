/** One model of a worker's configuration: any server with OpenAI's chat completions API. */
export interface ModelConfig {
  /** URL of the API, such as `https://api.openai.com/v1`. */
  baseUrl: string;
  /** The provider's name of the model. */
  model: string;
  /** Sent as a bearer token. Servers without accounts need none. */
  apiKey?: string;
  /** Sent with every request, in addition to the key. */
  headers?: { readonly [name: string]: string };
  /** Tokens that fit into one call, including the answer. */
  contextWindow?: number;
  /** Maximum tokens of one answer. */
  maxTokens?: number;
  /** Sent unchanged. Default: that of the server. */
  temperature?: number;
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
   * Maximum bytes of one answer as it arrives, decompressed and with the frames of its stream. Default 67,108,864 (64
   * MB): 200,000 tokens in frames of about 330 bytes.
   */
  maxAnswerBytes?: number;
  /**
   * Milliseconds that a run waits for this model while it does not answer or limits the rate. Default 24 h, or 2 min if
   * another model of the chain or a static answer follows.
   */
  patience?: number;
}
