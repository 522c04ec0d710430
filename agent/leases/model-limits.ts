/** What all workers together may ask of a model. */
export interface ModelLimits {
  /** Calls in any minute. */
  requestsPerMinute?: number;
  /** Tokens in any minute, sent and received. */
  tokensPerMinute?: number;
  /** Calls at the same time. */
  concurrent?: number;
}

/** The limits of one model in a worker's configuration. */
export interface NamedLimits extends ModelLimits {
  /**
   * Models with the same name share their limits, whatever their aliases. Default: the alias, so that the same alias of all
   * workers of the namespace is taken for one account.
   */
  name?: string;
}
