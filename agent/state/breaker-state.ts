/** Why the model has to conclude: it repeats a call, or it answers nothing. */
export type BreakerStop = 'repeating' | 'silent';

/** What breakers and the response analysis count since the exchange, or the last message of a person, began. */
export interface BreakerState {
  /** Calls of tools; those of the loop itself do not count. */
  calls: number;
  /** Calls that ran and may have changed something. */
  changes: number;
  /** Calls whose repetition gives nothing new, the oldest first, named as in `blocked-calls.ts`. `reads`: it changes nothing. */
  made: { key: string; reads: boolean }[];
  /** The call that failed last, and how often in a row. `call` is empty if it succeeded. */
  failing: { call: string; times: number };
  /** The model was told once that a call fails again and again. */
  told: boolean;
  /** Failures in a row by canonical name of the tool. */
  failures: { [tool: string]: number };
  /** Canonical names of tools that are withdrawn. */
  withdrawn: string[];
  /** Answers in a row of which no call ran, since breakers were in the way. */
  blockedRounds: number;
  /** Answers in a row with only failed calls. */
  failedRounds: number;
  /** Empty answers in a row. */
  empty: number;
  /** Nudges since the last call because work was left. */
  incomplete: number;
  /** Nudges because the answer avoided the work. */
  deflecting: number;
  /** Nudges because the answer claimed a change. */
  unchanged: number;
  /** Why the next call has to conclude. */
  stop?: BreakerStop;
}

export const NO_BREAKERS: BreakerState = {
  calls: 0,
  changes: 0,
  made: [],
  failing: { call: '', times: 0 },
  told: false,
  failures: {},
  withdrawn: [],
  blockedRounds: 0,
  failedRounds: 0,
  empty: 0,
  incomplete: 0,
  deflecting: 0,
  unchanged: 0,
};
