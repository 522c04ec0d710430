import { firstSent, lastCut, nextCut, pinnedBefore, type Transcript } from '../../../agent/window/cut';

/**
 * How much of the room is filled after leaving out messages: the calls that follow then find them in the provider's
 * cache.
 */
export const FILLED = 0.75;

export interface PruneArgs extends Transcript {
  /** Tokens of each message; those before {@link firstSent} that are not pinned do not count, and may be missing. */
  tokens: readonly number[];
  /** Tokens that all messages may have together. */
  room: number;
}

export interface Pruned {
  /** Index of the first message that is still sent. */
  from: number;
  /** Indices of what is sent, in order: all from `from` on, and before it those that are always sent. */
  sent: number[];
  /** Tokens of what is sent. */
  tokens: number;
  /** It fits. If it does not, nothing more can be left out. */
  fits: boolean;
}

/**
 * Decides which messages are sent: if they no longer fit, the oldest are left out. Calls keep their results. The
 * message that opened the exchange, the newest message that is not a result, the last answer of the model and
 * everything after it are always sent.
 */
export function pruneMessages({ room, ...transcript }: PruneArgs): Pruned {
  const sizeFrom = sizes(transcript);
  let cut = firstSent(transcript);
  if (sizeFrom(cut) > room) cut = cutToFit({ ...transcript, cut, room: room * FILLED });
  const { messages } = transcript;
  const sent = [...pinnedBefore(cut, transcript), ...Array.from({ length: messages.length - cut }, (_, i) => cut + i)];
  const size = sizeFrom(cut);
  return { from: cut, sent, tokens: size, fits: size <= room };
}

/** The first cut, from `cut` on, that leaves at most `room` tokens, or the last possible one. */
export function cutToFit({ cut: first, room, ...transcript }: PruneArgs & { cut: number }): number {
  const sizeFrom = sizes(transcript);
  const last = lastCut(transcript.messages, transcript.opened);
  let cut = first;
  while (cut < last && sizeFrom(cut) > room) cut = nextCut(transcript.messages, cut);
  return cut;
}

/** Tokens of what a cut leaves, for cuts from the first on that is possible. */
function sizes({ tokens, ...transcript }: Omit<PruneArgs, 'room'>): (cut: number) => number {
  const first = firstSent(transcript);
  const sums = tails(tokens.slice(first));
  const pinned = pinnedBefore(transcript.messages.length, transcript);
  return (cut) => pinned.reduce((sum, index) => sum + (index < cut ? (tokens[index] ?? 0) : 0), sums[cut - first] ?? 0);
}

function tails(tokens: readonly number[]): number[] {
  const sums = new Array<number>(tokens.length + 1).fill(0);
  for (let i = tokens.length - 1; i >= 0; i--) sums[i] = (sums[i + 1] ?? 0) + (tokens[i] ?? 0);
  return sums;
}
