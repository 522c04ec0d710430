import type { Message } from '../../../agent/model/message';

/**
 * How much of the room is filled after leaving out messages: the calls that follow then find them in the provider's
 * cache.
 */
const FILLED = 0.75;

export interface Transcript {
  messages: readonly Message[];
  /** Index of the first message that was still sent. */
  from: number;
  /** Index of the message that opened the exchange; -1 if there is none. */
  opened: number;
}

export interface PruneArgs extends Transcript {
  /** Tokens of each message; those before {@link firstSent} do not count. */
  tokens: readonly number[];
  /** Tokens that all messages may have together. */
  room: number;
}

export interface Pruned {
  /** Index of the first message that is still sent. */
  from: number;
  /** Indices of what is sent, in order: all from `from` on, and before it the message that opened the exchange. */
  sent: number[];
  /** Tokens of what is sent. */
  tokens: number;
  /** It fits. If it does not, nothing more can be left out. */
  fits: boolean;
}

/**
 * Decides which messages are sent: if they no longer fit, the oldest are left out. Calls keep their results. The
 * message that opened the exchange, the last answer of the model and everything after it are always sent.
 */
export function pruneMessages({ messages, tokens, from, opened, room }: PruneArgs): Pruned {
  const sizes = tails(tokens);
  const sizeFrom = (index: number) => (sizes[index] ?? 0) + (opened >= 0 && opened < index ? (tokens[opened] ?? 0) : 0);
  const last = lastCut(messages, opened);
  let cut = firstSent({ messages, from, opened });
  if (sizeFrom(cut) > room) {
    while (cut < last && sizeFrom(cut) > room * FILLED) cut = nextCut(messages, cut);
  }
  const rest = Array.from({ length: messages.length - cut }, (_, i) => cut + i);
  const sent = opened >= 0 && opened < cut ? [opened, ...rest] : rest;
  const size = sizeFrom(cut);
  return { from: cut, sent, tokens: size, fits: size <= room };
}

/**
 * Index of the first message that may be sent, beside the one that opened the exchange; after a rewrite it may be
 * before `from`.
 */
export function firstSent({ messages, from, opened }: Transcript): number {
  let index = Math.max(0, Math.min(from, lastCut(messages, opened)));
  while (index > 0 && isResult(messages[index])) index--;
  return index;
}

/**
 * The last possible place for a cut: before the last answer of the model, or the message that opened the exchange after
 * it.
 */
function lastCut(messages: readonly Message[], opened: number): number {
  return Math.max(
    0,
    opened,
    messages.findLastIndex(({ role }) => role === 'assistant'),
  );
}

function nextCut(messages: readonly Message[], cut: number): number {
  let next = cut + 1;
  while (isResult(messages[next])) next++;
  return next;
}

/** A result stays with its call, which comes before it. */
function isResult(message: Message | undefined): boolean {
  return message?.parts.some((part) => part.type === 'tool_result') === true;
}

function tails(tokens: readonly number[]): number[] {
  const sums = new Array<number>(tokens.length + 1).fill(0);
  for (let i = tokens.length - 1; i >= 0; i--) sums[i] = (sums[i + 1] ?? 0) + (tokens[i] ?? 0);
  return sums;
}
