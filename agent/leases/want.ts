/** A call that wants to be made. */
export interface Want {
  /** Unique among all calls. */
  id: string;
  /** A person waits for it: it goes before others. */
  interactive: boolean;
  /** Tokens that it will probably take. */
  tokens: number;
  /** How long it has been waiting when it is asked for, in milliseconds. */
  waited: number;
  /** Milliseconds after which its lease ends if it is not settled. */
  term: number;
  /** A person asked for it: it is made although the provider asked for a wait. */
  despiteBlock?: true;
  /** Missing from workers of earlier versions. */
  attempt?: Attempt;
}

/** An attempt of a call. The server makes one after the other: with a later one, the lease of an earlier one is over. */
export interface Attempt {
  /** Names the call. */
  of: string;
  /** Milliseconds since 1970. */
  began: number;
}

/** A call in progress. */
export interface Held {
  want: Omit<Want, 'waited'>;
  /** Milliseconds since its lease was given. */
  since: number;
}

/** Calls of one second of the last minute that have ended. */
export interface Recent {
  /** Milliseconds since that second was over. */
  since: number;
  requests: number;
  tokens: number;
}

/** A call in progress that may have begun seconds after its lease was given: the answer was on its way for as long. */
export interface Late {
  /** Of the want. */
  id: string;
  /** When its lease was given, in milliseconds since 1970: the `at` of the answer. */
  at: number;
  /** Milliseconds since it began. */
  since: number;
}

/** A call that has ended. */
export interface Settled {
  /** Of the want. */
  id: string;
  /** Tokens that it took. Missing: what was expected. */
  tokens?: number;
  /** Milliseconds that the provider asks to wait. Holds for all workers. */
  retryAfter?: number;
  /** It was answered although the provider had asked for a wait, which is over. */
  endsBlock?: true;
  /** It was not made: it was cancelled in line, or its lease came too late for it. */
  left?: true;
}
