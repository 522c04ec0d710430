/** How much of the model's window the last call took. Tokens; those of `system` and `tools` are part of `used`. */
export interface ContextBudget {
  /** The turn that it was counted in. */
  turn: number;
  /** The model's context window. Missing: the worker's configuration does not say. */
  total?: number;
  /** What the call sent. */
  used: number;
  /** What is left of the window after it, with room for an answer taken off. */
  remaining?: number;
  /** Of `used`: the system prompt. */
  system: number;
  /** Of `used`: names, descriptions and schemas of the tools. */
  tools: number;
  /** Messages of the transcript that the call left out, the oldest. */
  dropped: number;
  /** `usage`: the provider counted. `tokenizer`, `estimate`: the worker did. */
  counted: 'usage' | 'tokenizer' | 'estimate';
}

/** What of the transcript is sent: all from `from` on, and the message that opened the exchange. */
export interface ContextWindow {
  /** Index of the first message that is still sent. */
  from: number;
  /** A window smaller than the configured one, learned when the model refused a call as too long. Tokens. */
  window?: number;
  /** Tokens that the provider counts for one that the worker counts. */
  factor?: number;
}
