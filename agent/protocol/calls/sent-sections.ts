/** A section of the turn message, as one call sent it. */
export interface SentSection {
  name: string;
  text: string;
  /** It comes after the user input. */
  after?: true;
}

/** Why a section was left out of a call. */
export type SectionProblem =
  /** Its function threw, or returned something that is not a text. */
  | 'SectionFailed'
  | 'SectionTimedOut'
  /** It, or all sections together, are over the limit; or it does not fit into the model's window. */
  | 'SectionTooLarge'
  /** The worker's version of the agent no longer has it. */
  | 'SectionMissing';

export interface LeftOutSection {
  name: string;
  error: { type: SectionProblem; message: string };
}

/** The turn message of one call. */
export interface CallSections {
  /** SHA-256 of what was sent. */
  hash: string;
  /** Names of the sections, in order. */
  names: string[];
  /** What was sent. Missing: the same as in an earlier call of this history, which has the same hash. */
  sent?: SentSection[];
  /** Missing: none. */
  leftOut?: LeftOutSection[];
}
