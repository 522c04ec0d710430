/** How much of the model's window the last call took, in tokens. `used` includes `system` and `tools`. */
export interface ContextBudget {
  /** The turn in which it was counted. */
  turn: number;
  /** The model's context window. Missing: it is not in the worker's configuration. */
  total?: number;
  /** What the call sent. */
  used: number;
  /** What is left of the window after the call, minus room for an answer. */
  remaining?: number;
  /** Of `used`: the system prompt. */
  system: number;
  /** Of `used`: names, descriptions and schemas of the tools. */
  tools: number;
  /** Number of the oldest messages of the transcript that the call left out. */
  dropped: number;
  /** `usage`: the provider counted. `tokenizer`, `estimate`: the worker did. */
  counted: 'usage' | 'tokenizer' | 'estimate';
}

/** Which part of the transcript is sent: all from `from` on, and the message that opened the exchange. */
export interface ContextWindow {
  /** Index of the first message that is still sent. */
  from: number;
  /** A window smaller than the configured one, learned when the model refused a call as too long. Tokens. */
  window?: number;
  /** Tokens counted by the provider for each token counted by the worker. */
  factor?: number;
}
