import type { JsonObject } from '../../../agent/values/json';

/** The fields of a call as they were written; missing ones are `undefined`. */
export interface CallFields {
  server?: string;
  tool?: string;
  /** JSON, or an object. */
  input?: string | JsonObject;
}

/** A call in one of its forms, read while it arrives. */
export interface CallForm {
  /** Server and tool, as soon as both are known. */
  readonly fields: CallFields;
  /**
   * Takes a piece. Returns what it adds to the arguments, as JSON; nothing as long as they cannot be told without what
   * follows.
   */
  read(piece: string): string;
  /** It has returned the beginning of the arguments: `fields` has server and tool, and the pieces are the arguments. */
  readonly hasBegun: boolean;
  /** What arrives next is part of a text in which tags mean nothing. */
  readonly isQuoted: boolean;
  /** It is complete, even if its tag has no end. */
  readonly isWhole: boolean;
}

/** Characters of a name that are kept. */
export const MAX_NAME = 200;
