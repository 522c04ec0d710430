import type { Message } from '../../model/message';
import type { Ctx } from '../context';

/** The arguments of a function that compacts. */
export interface CompactArgs {
  /** The messages that its text replaces, the oldest first. Calls are together with their results. */
  messages: readonly Message[];
  /** The text that stands for all messages before them. Missing: they begin with the first message of the run. */
  summary?: string;
  /** Tokens that the text may have. A longer one is cut. */
  maxTokens: number;
  /** The run; without `toolUseId` and `idempotencyKey`. */
  ctx: Ctx;
}

/**
 * What happens to old messages when the context window fills. `trim`: they are left out. `summarise`: a model sums them
 * up. `tool-results`: old results of tools are shortened to one line each. A function returns the text that replaces
 * them; it runs in an activity.
 */
export type ContextStrategy = 'trim' | 'summarise' | 'tool-results' | ((args: CompactArgs) => string | Promise<string>);

/** How an agent uses the context window of its models. Sizes are tokens. */
export interface ContextSettings {
  /** What happens to old messages when the window fills. Default `trim`. */
  strategy?: ContextStrategy;
  /**
   * Old messages are compacted when fewer tokens than this are left for messages. Default 5,000, or a quarter of a
   * window under 20,000. Not for `trim`, which fills the window.
   */
  threshold?: number;
  /** Number of the newest messages that are not compacted, as long as they fit. Default 10. Not for `trim`. */
  keep?: number;
  /** Maximum size of a summary, at most 4,000. Default 500, less in a window under 8,000. */
  summaryTokens?: number;
  /** Alias of the model that writes summaries. Default: the model in use. */
  model?: string;
  /** What is kept free. */
  reserve?: {
    /** For the answer. Default 2,000, or `maxTokens` of the model if that is more; less in a window under 8,000. */
    output?: number;
    /** For what cannot be counted. Default 768, less in a window under 8,000. */
    safety?: number;
  };
  /**
   * When fewer tokens than this would be left even without any old message, the model is asked to conclude, without
   * tools. Default 1,500, less in a window under 8,000. 0: never.
   */
  wrapUp?: number;
}
