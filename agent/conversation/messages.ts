import type { ContentPart } from '../model/message';

/** What a person says to a run: a text, or parts where it has more than a text. At most 128 KB. */
export interface SentMessage {
  /** The text; this or `parts`. */
  text?: string;
  /** Texts and media. Large media belong into a `url`. */
  parts?: ContentPart[];
  /** Of the sender's choice: a message of the same id is taken once, however often it is sent. */
  id?: string;
  /** Who says it. It stands in history, the model does not see it. */
  by?: string;
}

/**
 * What a person says in the midst of an exchange. `queue` (the default): the model reads it at its next call. `now`: a
 * model call under way is broken off for it, and questions that wait are withdrawn; tools that work are not disturbed.
 */
export interface Steer extends SentMessage {
  when?: 'queue' | 'now';
}

/** What a run says of a message that it has taken. */
export interface MessageReceipt {
  /** The exchange that the message starts, or joins. */
  exchange: number;
  /** Messages before it that have to be answered first; 0: it is taken up at once. */
  ahead: number;
  /** Number of the last fact before it: what follows from it is read from there on. */
  after: number;
}

/** A message that was taken and is not yet in the transcript. */
export interface QueuedMessage {
  parts: ContentPart[];
  exchange: number;
  /** Milliseconds since 1970. */
  at: number;
  id?: string;
  by?: string;
  /** The exchange is to be answered anew, and brings no message. */
  regenerates?: number;
}
