import type { Message } from '../../../agent/model/message';
import { firstHere, GONE } from '../../../agent/model/transcript';
import type { PinnedMessage } from '../../../agent/protocol/queries';
import type { CarriedTranscript } from '../../../agent/state/carried/carried';
import type { AgentState } from '../../../agent/state/state';
import { jsonBytes } from '../../../agent/values/json';
import { firstSent, lastCut, nextCut, pinnedBefore } from '../../../agent/window/cut';

/** Bytes as JSON from which on a message may be read again. */
const LARGE = 16 * 1024;

/** Bytes that the index of such a message takes. */
const INDEX = 16;

/** Bytes up to which messages that models no longer read go along: every history would be larger by all of them. */
const SPARE = 64 * 1024;

/** Share of the room that is filled where messages stay behind, so that the next run need not drop some at once. */
const FILLED = 0.75;

/** `from`: only with less of the transcript sent to models does it fit. Neither: even the least does not fit. */
export type KeptTranscript = { kept: CarriedTranscript } | { from: number } | { bytes: number };

/**
 * The messages that are carried, in `max` bytes: all that models read, and a few of those before them. Of what models
 * read, large messages are read again, up to `again` bytes.
 */
export function keepTranscript(state: AgentState, max: number, again: number): KeptTranscript {
  const { messages, opened, trimming } = state;
  const here = firstHere(messages);
  const bytesOf = sizes(state, jsonBytes);
  const spare = Math.min(SPARE, max);
  if (bytesOf(here) <= spare) return { kept: kept(state, here) };
  const sent = firstSent({ messages, from: Math.max(trimming.from, here), opened });
  let first = here;
  while (first < sent && bytesOf(first) > spare * FILLED) first++;
  if (bytesOf(first) <= max) return { kept: kept(state, first) };
  const least = sizes(state, (message) => (isLarge(message) ? jsonBytes(GONE) + INDEX : jsonBytes(message)));
  const fits = (cut: number, share: number) => least(cut) <= max * share && bytesOf(cut) <= (max + again) * share;
  if (fits(sent, 1)) return { kept: withoutLargest(kept(state, sent), bytesOf(sent) - max) };
  const last = lastCut(messages, opened);
  let cut = sent;
  while (cut < last && !fits(cut, FILLED)) cut = nextCut(messages, cut);
  return fits(cut, 1) ? { from: cut } : { bytes: bytesOf(cut) };
}

function kept(state: AgentState, first: number): CarriedTranscript {
  return { first, pinned: pinned(state, first), messages: state.messages.slice(first) };
}

/** The messages before `first` that models still read. */
function pinned({ messages, opened }: AgentState, first: number): PinnedMessage[] {
  return pinnedBefore(first, { messages, opened }).flatMap((index) => {
    const message = messages[index];
    return message === undefined || message === GONE ? [] : [{ index, message }];
  });
}

function isLarge(message: Message): boolean {
  return jsonBytes(message) > LARGE;
}

/** The largest messages are empty in it: it has `surplus` bytes less. */
function withoutLargest({ first, pinned, messages }: CarriedTranscript, surplus: number): CarriedTranscript {
  const all = [...pinned, ...messages.map((message, i) => ({ index: first + i, message }))];
  const bySize = all.filter(({ message }) => isLarge(message));
  bySize.sort((a, b) => jsonBytes(b.message) - jsonBytes(a.message) || a.index - b.index);
  const large = new Set<number>();
  // The name of the list takes about as much as one index.
  let left = surplus + INDEX;
  for (const { index, message } of bySize) {
    if (left <= 0) break;
    large.add(index);
    left -= jsonBytes(message) - jsonBytes(GONE) - INDEX;
  }
  const empty = (index: number, message: Message) => (large.has(index) ? GONE : message);
  return {
    first,
    pinned: pinned.map(({ index, message }) => ({ index, message: empty(index, message) })),
    messages: messages.map((message, i) => empty(first + i, message)),
    large: [...large].sort((a, b) => a - b),
  };
}

/** Bytes of what is carried if the messages begin at an index, as JSON lists. */
function sizes(state: AgentState, bytesOf: (message: Message) => number): (first: number) => number {
  const { messages } = state;
  const tails = new Array<number>(messages.length + 1).fill(2);
  for (let i = messages.length - 1; i >= 0; i--) {
    const message = messages[i];
    tails[i] = (tails[i + 1] ?? 0) + (message === undefined || message === GONE ? 0 : bytesOf(message) + 1);
  }
  return (first) =>
    pinned(state, first).reduce(
      (bytes, { index, message }) =>
        bytes + jsonBytes({ index, message: GONE }) - jsonBytes(GONE) + bytesOf(message) + 1,
      (tails[first] ?? 0) + 2,
    );
}
