/** How a run uses the context window, as pinned. Sizes are tokens; those that are missing depend on the window. */
export interface ContextSpec {
  /** What happens to old messages when the window fills. `function`: a function of the agent replaces them by a text. */
  strategy: 'trim' | 'summarise' | 'tool-results' | 'function';
  /** Fewer tokens left than this: old messages are compacted. */
  threshold?: number;
  /** Number of the newest messages that are not compacted. Default 10. */
  keep?: number;
  /** Maximum size of a summary. */
  summaryTokens?: number;
  /** Alias of the model that writes summaries. Missing: the model in use. */
  model?: string;
  /** What is kept free for the answer, and for what cannot be counted. */
  reserve?: { output?: number; safety?: number };
  /** Fewer tokens than this left without any old message: the model is asked to conclude. */
  wrapUp?: number;
}
