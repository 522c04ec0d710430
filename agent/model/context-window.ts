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
  /** Of `used`: the sections of the turn message. Missing: there are none. */
  sections?: number;
  /** Of `used`: the summary of earlier messages. Missing: there is none. */
  summary?: number;
  /** Number of messages that the transcript had. */
  messages: number;
  /** Number of the oldest messages of the transcript that the call left out. */
  dropped: number;
  /** `usage`: the provider counted. `tokenizer`, `estimate`: the worker did. */
  counted: 'usage' | 'tokenizer' | 'estimate';
}

/**
 * Which part of the transcript is sent: all from `from` on, the message that opened the exchange, and a person's newest.
 */
export interface ContextWindow {
  /** Index of the first message that is still sent. */
  from: number;
  /** Hash of the summary that is sent in place of the messages before `from`. Missing: there is none. */
  summary?: string;
  /** Results of tools before this index are sent as one line. Missing: none are. */
  shortened?: number;
  /** A window smaller than the configured one, learned when the model refused a call as too long. Tokens. */
  window?: number;
  /** Tokens counted by the provider for each token counted by the worker. */
  factor?: number;
}

/** The text that stands for the oldest messages. */
export interface ContextSummary {
  /** What a model, or a function of the agent, wrote. */
  text: string;
  /** Index of the first message that it does not cover. */
  upTo: number;
}
