import { LRUCache } from 'lru-cache';
import { HoldfastError } from '../../agent/errors/error';
import type { Message } from '../../agent/model/message';
import { TranscriptIndex, withGone } from '../../agent/model/transcript';
import type { CallModelInput, PrefixRef } from '../../agent/protocol/calls/model-call';
import { QUERY, type TranscriptPage } from '../../agent/protocol/queries';
import { activityFailure } from '../failures/activity-failure';
import { queryOwnRun } from './query-run';

/** Bytes that a worker keeps, over all runs. */
const MAX_SIZE = 256 * 1024 * 1024;
/** What is kept of each byte of a message: itself, and its JSON as it was sent to the model. */
const KEPT = 2;

interface Entry {
  epoch: number;
  messages: Message[];
  index: TranscriptIndex;
}

/** How an activity names the transcript of its run. */
type TranscriptInput = Pick<CallModelInput, 'prefix' | 'transcript' | 'delta'>;

/** Fetches messages that this worker does not have. */
export type FetchPage = (from: number) => Promise<TranscriptPage>;

const fromOwnRun: FetchPage = (from) => queryOwnRun<TranscriptPage>(QUERY.transcript, from);

/**
 * Transcripts that this worker has sent to a model before, by Temporal run id. A kept transcript is used only if its
 * running hash matches; a wrong or missing prefix is fetched from the run and never guessed.
 */
export class TranscriptCache {
  readonly #cache: LRUCache<string, Entry>;

  constructor(maxSize = MAX_SIZE) {
    this.#cache = new LRUCache<string, Entry>({ maxSize });
  }

  /** The whole transcript of a model call. */
  async load(runId: string, input: TranscriptInput, fetchPage: FetchPage = fromOwnRun): Promise<Message[]> {
    const known = this.#cache.get(runId);
    const entry = extended(known, input) ?? (await fetched(known, input, fetchPage));
    this.#keep(runId, entry);
    return [...entry.messages];
  }

  /** Adds the message that is expected to follow a transcript. What becomes of the given one later changes nothing. */
  expect(runId: string, transcript: PrefixRef, message: Message): void {
    const known = this.#cache.get(runId);
    if (known === undefined || known.messages.length !== transcript.length || !fits(known, transcript)) return;
    known.messages.push(JSON.parse(JSON.stringify(message)));
    this.#keep(runId, known);
  }

  #keep(runId: string, entry: Entry): void {
    const size = KEPT * entry.index.bytes(entry.messages, entry.epoch, 0);
    this.#cache.set(runId, entry, { size: Math.max(1, size) });
  }
}

/** The transcript from the kept messages and the delta, if the hashes show that they belong together. */
function extended(known: Entry | undefined, { prefix, transcript, delta }: TranscriptInput): Entry | undefined {
  if (known !== undefined && fits(known, transcript)) return trimmed(known, transcript.length);
  if (delta === undefined) return undefined;
  const base = prefix.length === 0 ? emptyEntry(prefix.epoch) : known;
  if (base === undefined || !fits(base, prefix)) return undefined;
  const entry = trimmed(base, prefix.length);
  entry.messages.push(...delta);
  return fits(entry, transcript) ? entry : undefined;
}

async function fetched(known: Entry | undefined, input: TranscriptInput, fetchPage: FetchPage): Promise<Entry> {
  const { prefix, transcript } = input;
  // What is kept is first tried as a beginning, and dropped if that did not lead to the right hash.
  for (const entry of [...beginnings(known, prefix), emptyEntry(transcript.epoch)]) {
    while (entry.messages.length < transcript.length) {
      const page = await fetchPage(entry.messages.length);
      if (page.epoch !== transcript.epoch || page.messages.length === 0) break;
      // The run has the messages before `first` no longer, except those that models still read.
      if (entry.messages.length < page.first) entry.messages = withGone(page.first, page.pinned ?? []);
      entry.messages.push(...page.messages);
    }
    const whole = trimmed(entry, transcript.length);
    if (fits(whole, transcript)) return whole;
  }
  throw activityFailure(new HoldfastError('RunLost', { problem: 'the transcript that it gave has another hash' }), {
    retry: true,
  });
}

/** What is kept, as far as it may be right: other workers may have made the calls since then. */
function beginnings(known: Entry | undefined, prefix: PrefixRef): Entry[] {
  if (known === undefined || known.epoch !== prefix.epoch) return [];
  if (fits(known, prefix)) return [trimmed(known, prefix.length)];
  return known.messages.length < prefix.length ? [known] : [];
}

function emptyEntry(epoch: number): Entry {
  return { epoch, messages: [], index: new TranscriptIndex() };
}

function fits(entry: Entry, ref: PrefixRef): boolean {
  return (
    entry.epoch === ref.epoch &&
    entry.messages.length >= ref.length &&
    entry.index.ref(entry.messages, entry.epoch, ref.length).hash === ref.hash
  );
}

function trimmed(entry: Entry, length: number): Entry {
  if (entry.messages.length <= length) return entry;
  return { epoch: entry.epoch, messages: entry.messages.slice(0, length), index: new TranscriptIndex() };
}
