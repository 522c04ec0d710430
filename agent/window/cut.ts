import type { Message } from '../model/message';
import { firstHere, GONE } from '../model/transcript';

/** A transcript, of which the newest part is sent. */
export interface Transcript {
  messages: readonly Message[];
  /** Index of the first message that was still sent. */
  from: number;
  /** Index of the message that opened the exchange; -1 if there is none. */
  opened: number;
}

/**
 * Index of the first message that may be sent, beside those that always are; after a rewrite it may be before `from`.
 */
export function firstSent({ messages, from, opened }: Transcript): number {
  return withItsCall(messages, Math.max(firstHere(messages), Math.min(from, lastCut(messages, opened))));
}

/**
 * The last possible place for a cut: before the last answer of the model, or the message that opened the exchange after
 * it.
 */
export function lastCut(messages: readonly Message[], opened: number): number {
  return Math.max(
    0,
    opened,
    messages.findLastIndex(({ role }) => role === 'assistant'),
  );
}

/** The next place for a cut after `cut`. */
export function nextCut(messages: readonly Message[], cut: number): number {
  let next = cut + 1;
  while (isResult(messages[next])) next++;
  return next;
}

/** Where a cut leaves the last `keep` messages; a few more where a call would lose its results. */
export function cutKeeping(keep: number, { messages, opened }: Pick<Transcript, 'messages' | 'opened'>): number {
  const cut = Math.min(messages.length - keep, lastCut(messages, opened));
  return withItsCall(messages, Math.max(firstHere(messages), cut));
}

/** Messages before the cut that are sent anyway: the one that opened the exchange, and a person's newest. */
export function pinnedBefore(cut: number, { messages, opened }: Pick<Transcript, 'messages' | 'opened'>): number[] {
  return [...new Set([opened, newestSaid(messages)])]
    .filter((index) => index >= 0 && index < cut)
    .sort((a, b) => a - b);
}

/** Where the newest message of a person was found in the first messages of a list. A list of messages only grows. */
const newest = new WeakMap<readonly Message[], { length: number; index: number }>();

/** Index of the newest message of a person that is here; -1 if there is none. */
function newestSaid(messages: readonly Message[]): number {
  const known = newest.get(messages) ?? { length: 0, index: -1 };
  let index = messages.length - 1;
  while (index >= known.length && !isSaid(messages[index] as Message)) index--;
  const found = { length: messages.length, index: index < known.length ? known.index : index };
  newest.set(messages, found);
  return found.index;
}

function isSaid(message: Message): boolean {
  return message.role === 'user' && message !== GONE && !isResult(message);
}

function isResult(message: Message | undefined): boolean {
  return message?.parts.some((part) => part.type === 'tool_result') === true;
}

/** A result stays with its call, which comes before it. */
function withItsCall(messages: readonly Message[], index: number): number {
  let cut = index;
  while (cut > 0 && isResult(messages[cut])) cut--;
  return cut;
}
