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
  /** Milliseconds without a byte after which an answer counts as dead. Default 60,000. */
  idleTimeout?: number;
  /**
   * Milliseconds until an answer has to be whole, however fast it arrives. It is not asked for again: it would take as long,
   * and is paid for. Default: what the agent's `limits.modelTimeout` leaves.
   */
  answerTimeout?: number;
  /**
   * Bytes of one answer as it arrives, after decompression and with the frames of its stream. Default 67,108,864 (64 MB):
   * 200,000 tokens in frames of about 330 bytes.
   */
  maxAnswerBytes?: number;
  /**
   * Milliseconds that a run waits for this model while it does not answer or limits the rate. Default 24 h, or 2 min where
   * another model of the chain or a static answer follows.
   */
  patience?: number;
}
