import type { Duration } from '../../values/duration';

/** What one run may take. All have defaults. */
export interface RunLimits {
  /** Model calls that may ask for tools, self-correction included. Default 25. */
  maxToolInteractions?: number;
  /**
   * Characters of one tool result that the model sees. People can read the whole. Default 30,000, for small models
   * 6,000.
   */
  maxResultChars?: number;
  /**
   * Time without a heartbeat after which a worker counts as dead, at least 2 s. Default 10 s, 60 s for `once` tools.
   */
  heartbeatTimeout?: Duration;
  /**
   * How long one attempt of a model call may take. Its answer must be complete after 95 % of that. Default 10 min.
   */
  modelTimeout?: Duration;
  /**
   * Number of invalid outputs after which a task, or an exchange of a conversation, fails with `OutputInvalid`. The
   * model reads what is wrong with each but the last. Default 3.
   */
  maxOutputAttempts?: number;
  /**
   * How long a run retries the start of MCP servers, contextBuilder and outputBuilder. An error of a builder is
   * retried unless it is an `ApplicationFailure.nonRetryable`. Default 10 min.
   */
  startPatience?: Duration;
}
