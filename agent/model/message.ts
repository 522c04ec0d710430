import { isJsonObject, type JsonObject } from '../values/json';

/** A text. */
export interface TextPart {
  /** What tells the parts apart. */
  type: 'text';
  /** The text itself, whole. */
  text: string;
}

/** What a model thought aloud. `providerData` is opaque (a signature, say) and goes back to the provider unchanged. */
export interface ReasoningPart {
  /** What tells the parts apart. */
  type: 'reasoning';
  /** What it thought, as far as the provider shows it. */
  text: string;
  /** Opaque data of the provider. */
  providerData?: JsonObject;
}

/** An image, a sound or a document: either `data` (base64) or `url`. */
export interface MediaPart {
  /** What tells the parts apart. */
  type: 'media';
  /** An IANA media type, such as `image/png`. */
  mediaType: string;
  /** The content in base64. */
  data?: string;
  /** Where the provider fetches the content itself. */
  url?: string;
  /** A file name, for providers that want one. */
  name?: string;
}

/** A call that the model asked for. */
export interface ToolUsePart {
  /** What tells the parts apart. */
  type: 'tool_use';
  /** Minted by the run: `t<turn>.<n>`. */
  toolUseId: string;
  /** Canonical name; the raw name where no such tool exists. */
  name: string;
  /** The arguments; `{}` where they were no JSON. */
  input: JsonObject;
  /** The provider's own id, kept only to be echoed. */
  providerId?: string;
}

/** What a tool, or a contextBuilder, may give. */
export type ContentPart = TextPart | MediaPart;

/** What became of a call. */
export interface ToolResultPart {
  /** What tells the parts apart. */
  type: 'tool_result';
  /** Of the call that it answers. */
  toolUseId: string;
  /** Canonical name of the tool. */
  name: string;
  /** What the model sees; a text past the limit is cut here and ends in a note of its full length. */
  content: ContentPart[];
  /** The call failed, or was not run: the content says why. */
  isError?: true;
}

/** Any part of a message. */
export type Part = TextPart | ReasoningPart | MediaPart | ToolUsePart | ToolResultPart;

/**
 * One message of the transcript. One answer of a model is one message with n parts; each tool result is a message of
 * its own, with the role `user`.
 */
export interface Message {
  /** Who said it; tool results have the role `user`. */
  role: 'user' | 'assistant';
  /** What it holds, in order. */
  parts: Part[];
  /** The turn that it belongs to; 0 before the first model call. Messages that follow from a call carry its turn. */
  turn: number;
  /** What contextBuilder preset; the count itself is derived, see {@link seenCount}. */
  seenCount?: number;
  /** Opaque data of the provider, echoed in later calls. */
  providerData?: JsonObject;
  /** Set on an answer that was cut short by a cancel: it holds the text that had arrived. */
  partial?: true;
}

/**
 * How many model calls a message has been part of when call number `call` (from 1) is about to be made: 0 for a new
 * user message, tool result or feedback, 1 for an answer, since its own call counts.
 */
export function seenCount(message: Message, call: number): number {
  const born = message.role === 'assistant' ? message.turn : message.turn + 1;
  return (message.seenCount ?? 0) + Math.max(0, call - born);
}

/** The text of a message, its text parts joined. */
export function textOf(message: { parts: readonly Part[] }): string {
  return message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
}

/** Whether a value of unknown origin is a part that a model can be sent: text, or media with `data`, `url` or both. */
export function isContentPart(value: unknown): value is ContentPart {
  if (!isJsonObject(value)) return false;
  if (value.type === 'text') return typeof value.text === 'string';
  // One that is there and no text would be taken for the source all the same.
  const sources = [value.data, value.url].filter((source) => source !== undefined);
  return (
    value.type === 'media' &&
    typeof value.mediaType === 'string' &&
    sources.length > 0 &&
    sources.every((source) => typeof source === 'string')
  );
}
