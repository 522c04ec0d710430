import type { ContentPart } from '../model/message';

/** A message of a person to a run: a text, or parts if it has more than a text. At most 128 KB. */
export interface SentMessage {
  /** The text. Give this or `parts`. */
  text?: string;
  /** Texts and media. Pass large media by `url`. */
  parts?: ContentPart[];
  /** Chosen by the sender. A message with the same id is taken once, however often it is sent. */
  id?: string;
  /** The sender. It is stored in history; the model does not see it. */
  by?: string;
}

/**
 * What a person says during an exchange. `queue` (the default): the model reads it at its next call. `now`: a model
 * call in progress is stopped for it, and open questions are withdrawn; running tools are not stopped.
 */
export interface Steer extends SentMessage {
  /** When the model reads it. Default `queue`. */
  when?: 'queue' | 'now';
}

/** What a run returns for a message that it has taken. */
export interface MessageReceipt {
  /** The exchange that the message starts or joins. */
  exchange: number;
  /** Number of messages that are answered before it. 0: it is taken up at once. */
  ahead: number;
  /** Number of the last fact before it. Read the facts that follow from it after this one. */
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
  /** The exchange whose answer is regenerated. Such an entry has no message. */
  regenerates?: number;
}
