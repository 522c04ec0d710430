/** What all workers together may ask of a model. */
export interface ModelLimits {
  /** Calls in any minute. */
  requestsPerMinute?: number;
  /** Tokens in any minute, sent and received. */
  tokensPerMinute?: number;
  /** Calls at the same time. */
  concurrent?: number;
}
