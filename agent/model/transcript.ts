import { BYTES } from '../limits';
import type { PrefixRef } from '../protocol/calls/model-call';
import type { PinnedMessage, TranscriptPage } from '../protocol/queries';
import { hashText } from '../values/hash';
import { utf8Bytes } from '../values/json';
import type { Message } from './message';

/** Hash of a transcript without messages. */
export const EMPTY_HASH = '0';

/**
 * In the place of a message that an earlier Temporal run of the chain has, and that model calls no longer send: the
 * other messages keep their indices. It has neither bytes nor a hash, and is known by its identity.
 */
export const GONE: Message = Object.freeze({ role: 'user', parts: [], turn: 0 });

/** Index of the first message from which on all are here. A few before it may be here as well. */
export function firstHere(messages: readonly Message[]): number {
  return messages.lastIndexOf(GONE) + 1;
}

/**
 * Running hash and size of every prefix of one growing transcript. It is derived from the messages and is not part of
 * any state.
 */
export class TranscriptIndex {
  #epoch = 0;
  #hashes = [EMPTY_HASH];
  #bytes = [0];

  /** The prefix of `length` messages; `messages` only ever grows within one epoch. */
  ref(messages: readonly Message[], epoch: number, length = messages.length): PrefixRef {
    this.#follow(messages, epoch);
    return { epoch, length, hash: this.#hashes[length] ?? EMPTY_HASH };
  }

  /** Bytes of the messages from `from` to the end, as JSON. */
  bytes(messages: readonly Message[], epoch: number, from: number): number {
    this.#follow(messages, epoch);
    return (this.#bytes[messages.length] ?? 0) - (this.#bytes[from] ?? 0);
  }

  #follow(messages: readonly Message[], epoch: number): void {
    if (epoch !== this.#epoch) {
      this.#epoch = epoch;
      this.#hashes = [EMPTY_HASH];
      this.#bytes = [0];
    }
    for (let i = this.#hashes.length - 1; i < messages.length; i++) {
      if (messages[i] === GONE) {
        this.#hashes.push(this.#hashes[i] ?? EMPTY_HASH);
        this.#bytes.push(this.#bytes[i] ?? 0);
        continue;
      }
      const json = JSON.stringify(messages[i]);
      this.#hashes.push(hashText(json, this.#hashes[i]));
      this.#bytes.push((this.#bytes[i] ?? 0) + utf8Bytes(json));
    }
  }
}

/** As many items, beginning at `from`, as fit into one page, but at least one if there is any. */
export function firstPage<T>(items: readonly T[], from: number, maxBytes: number = BYTES.page): T[] {
  const page: T[] = [];
  let bytes = 0;
  for (let i = from; i < items.length; i++) {
    const item = items[i] as T;
    bytes += utf8Bytes(JSON.stringify(item));
    if (page.length > 0 && bytes > maxBytes) break;
    page.push(item);
  }
  return page;
}

/** A page of the messages that are here; those before them are named, with the few of them that are here. */
export function transcriptPage(messages: readonly Message[], epoch: number, asked: number): TranscriptPage {
  const first = firstHere(messages);
  const from = Math.max(asked, first);
  const page = { epoch, from, messages: firstPage(messages, from), length: messages.length, first };
  return asked >= first ? page : { ...page, pinned: pinnedIn(messages, first) };
}

/** The messages before `first` that are here, with their indices. */
export function pinnedIn(messages: readonly Message[], first: number): PinnedMessage[] {
  return messages.slice(0, first).flatMap((message, index) => (message === GONE ? [] : [{ index, message }]));
}

/** The first messages of a transcript of which only some are here. */
export function withGone(first: number, pinned: readonly PinnedMessage[]): Message[] {
  const messages = new Array<Message>(first).fill(GONE);
  for (const { index, message } of pinned) messages[index] = message;
  return messages;
}
