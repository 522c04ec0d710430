import { isJsonObject, type JsonObject } from '../values/json';

/** A text. */
export interface TextPart {
  /** The kind of part. */
  type: 'text';
  /** The whole text. */
  text: string;
}

/**
 * The reasoning of a model. `providerData` is opaque, such as a signature, and is sent back to the provider unchanged.
 */
export interface ReasoningPart {
  /** The kind of part. */
  type: 'reasoning';
  /** The reasoning, as far as the provider shows it. */
  text: string;
  /** Opaque data of the provider. */
  providerData?: JsonObject;
}

/** An image, a sound or a document, as `data` (base64) or as `url`. */
export interface MediaPart {
  /** The kind of part. */
  type: 'media';
  /** An IANA media type, such as `image/png`. */
  mediaType: string;
  /** The content in base64. */
  data?: string;
  /** Address from which the provider fetches the content. */
  url?: string;
  /** A file name, for providers that want one. */
  name?: string;
}

/** A call that the model asked for. */
export interface ToolUsePart {
  /** The kind of part. */
  type: 'tool_use';
  /** Minted by the run: `t<turn>.<n>`. */
  toolUseId: string;
  /** Canonical name, or the name that the model gave if there is no such tool. */
  name: string;
  /** The arguments; `{}` if they were not JSON. */
  input: JsonObject;
  /**
   * What the model wrote, if it was not JSON and could not be repaired: the first 16 KB, and a note of the full size if
   * there was more. For people: it is never sent to a model.
   */
  rawInput?: string;
  /** The provider's own id, kept only to send it back. */
  providerId?: string;
}

/** A part that a tool or a contextBuilder may return. */
export type ContentPart = TextPart | MediaPart;

/** The result of a call. */
export interface ToolResultPart {
  /** The kind of part. */
  type: 'tool_result';
  /** Id of the call. */
  toolUseId: string;
  /** Canonical name of the tool. */
  name: string;
  /** What the model sees. A text over the limit is cut here and ends with a note of its full length. */
  content: ContentPart[];
  /** The call failed or was not run. The content says why. */
  isError?: true;
}

/** Any part of a message. */
export type Part = TextPart | ReasoningPart | MediaPart | ToolUsePart | ToolResultPart;

/**
 * One message of the transcript. One answer of a model is one message with n parts. Each tool result is a separate
 * message with the role `user`.
 */
export interface Message {
  /** The author. Tool results have the role `user`. */
  role: 'user' | 'assistant';
  /** Its parts, in order. */
  parts: Part[];
  /** The turn that it belongs to; 0 before the first model call. Messages that follow from a call have its turn. */
  turn: number;
  /** Start value from contextBuilder. The count itself is derived, see {@link seenCount}. */
  seenCount?: number;
  /** Opaque data of the provider, sent back in later calls. */
  providerData?: JsonObject;
  /** Set on an answer that a cancel cut short. It holds the text that had arrived. */
  partial?: true;
  /**
   * Made by a reader: the messages with the indices `from` to `to` (exclusive) can no longer be read, for example because
   * the server has deleted the history that had them. The text says so, too.
   */
  missing?: { from: number; to: number; why: string };
}

/**
 * How many model calls a message has been part of before call number `call` (from 1): 0 for a new user message, tool
 * result or feedback, 1 for an answer, since its own call counts.
 * @param since the first call that counts
 */
export function seenCount(message: Message, call: number, since = 0): number {
  const born = Math.max(since, message.role === 'assistant' ? message.turn : message.turn + 1);
  return (message.seenCount ?? 0) + Math.max(0, call - born);
}

/** The text of a message: its text parts, joined. */
export function textOf(message: { parts: readonly Part[] }): string {
  return message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
}

/** Whether an untrusted value is a part that can be sent to a model: text, or media with `data`, `url` or both. */
export function isContentPart(value: unknown): value is ContentPart {
  if (!isJsonObject(value)) return false;
  if (value.type === 'text') return typeof value.text === 'string';
  // A source that is present but not a text would be used anyway.
  const sources = [value.data, value.url].filter((source) => source !== undefined);
  return (
    value.type === 'media' &&
    typeof value.mediaType === 'string' &&
    sources.length > 0 &&
    sources.every((source) => typeof source === 'string')
  );
}
