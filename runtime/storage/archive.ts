import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { Client } from '@temporalio/client';
import { HoldfastError, messageOf } from '../../agent/errors/error';
import type { ArchivedEnd, ArchivedFacts, ArchivedMessages, HistoryRef } from '../../agent/protocol/entities/archive';
import { within } from '../abort/within';
import { readPayloads } from '../payloads/read-payloads';
import { writePayload } from '../payloads/write-payload';
import { sha256 } from '../sha256';
import { type FolderedStore, MAX_OBJECT } from './object-store';
import { fromObject, toObject } from './payload-object';

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** Milliseconds that one use of the store may take. */
const TIME = 30_000;
/** Bytes of JSON that an object may become: a history has at most 50 MB, with references to stored payloads more. */
const MAX_JSON = 512 * 1024 * 1024;
/** Temporal's ids of runs. Anyone may have written one into a history. */
const RUN_ID = /^[\w-]{1,64}$/;

/** Digits of a time in milliseconds, until the year 33,658. */
const TIME_DIGITS = 15;

/** Names of ends. A process that was killed may have left something else. */
const END = /^\d{15}-[\w-]+$/;

/** What is kept of a history, each in an object of its own. */
interface Kept {
  facts: ArchivedFacts;
  messages: ArchivedMessages;
}

/** Knows the namespace and the codecs. */
type Codecs = Pick<Client, 'options'>;

/**
 * Facts and messages of histories that the server may have deleted since. All of a workflow id is in one place, so that it
 * can be deleted.
 */
export class Archive {
  constructor(private readonly store: FolderedStore) {}

  /** Prepares the place when a worker starts. */
  open(): Promise<void> {
    return this.store.open();
  }

  /**
   * Keeps a part of a history that has ended. Repeating it changes nothing.
   * @throws HoldfastError `StorageUnavailable`
   */
  put<What extends keyof Kept>(client: Codecs, ref: HistoryRef, what: What, value: Kept[What]): Promise<void> {
    return this.#write(client, keyOf(client, ref, what), value);
  }

  /**
   * Keeps what a run answers that has ended.
   * @throws HoldfastError `StorageUnavailable`
   */
  putEnd(client: Codecs, { id, runId }: HistoryRef, closed: Date, end: ArchivedEnd): Promise<void> {
    // The names of ends sort by time.
    const time = String(closed.getTime()).padStart(TIME_DIGITS, '0');
    return this.#write(client, `${endsOf(client, id)}/${time}-${runId}`, end);
  }

  /**
   * `undefined` if it does not have it.
   * @throws HoldfastError `StorageUnavailable`, also for an object that cannot be read
   */
  async get<What extends keyof Kept>(client: Codecs, ref: HistoryRef, what: What): Promise<Kept[What] | undefined> {
    return RUN_ID.test(ref.runId) ? this.#read<Kept[What]>(client, keyOf(client, ref, what)) : undefined;
  }

  /**
   * What the run answers that was the last to end under a workflow id. `undefined` if none has.
   * @throws HoldfastError `StorageUnavailable`, also for an object that cannot be read
   */
  async lastEnd(client: Codecs, id: string): Promise<ArchivedEnd | undefined> {
    const ends = endsOf(client, id);
    const all = await this.#use((signal) => this.store.list(ends, signal));
    const last = all
      .filter((name) => END.test(name))
      .sort()
      .at(-1);
    return last === undefined ? undefined : this.#read<ArchivedEnd>(client, `${ends}/${last}`);
  }

  /**
   * Deletes all that it has of a workflow id. Returns whether it had anything.
   * @throws HoldfastError `StorageUnavailable`
   */
  async remove(client: Codecs, id: string): Promise<boolean> {
    const folder = folderOf(client, id);
    const all = await this.#use((signal) => this.store.list(folder, signal));
    await this.#use((signal) => this.store.remove(folder, signal));
    return all.length > 0;
  }

  async #write(client: Codecs, key: string, value: object): Promise<void> {
    const json = Buffer.from(JSON.stringify(value));
    const bytes = toObject(await writePayload(client, new Uint8Array(await deflate(json))));
    if (bytes.length > MAX_OBJECT) throw this.#unavailable(`an object of ${bytes.length} bytes is too large for it`);
    await this.#use((signal) => this.store.put(key, bytes, signal));
  }

  async #read<T>(client: Codecs, key: string): Promise<T | undefined> {
    const bytes = await this.#use((signal) => this.store.get(key, signal));
    if (bytes === undefined) return undefined;
    try {
      const [packed] = await readPayloads<Uint8Array>(client, [fromObject(bytes)]);
      return JSON.parse(String(await inflate(packed ?? '', { maxOutputLength: MAX_JSON })));
    } catch (error) {
      throw this.#unavailable(`the object \`${key}\` cannot be read: ${messageOf(error)}`);
    }
  }

  async #use<T>(act: (signal: AbortSignal) => Promise<T>): Promise<T> {
    try {
      return await within(TIME, undefined, act);
    } catch (error) {
      throw this.#unavailable(messageOf(error));
    }
  }

  #unavailable(problem: string): HoldfastError<'StorageUnavailable'> {
    return new HoldfastError('StorageUnavailable', { where: this.store.where, problem });
  }
}

/** Workflow ids have characters that folders do not take, and up to a thousand of them. */
function folderOf({ options: { namespace } }: Codecs, id: string): string {
  return sha256(`${namespace}\n${id}`);
}

function endsOf(client: Codecs, id: string): string {
  return `${folderOf(client, id)}/ends`;
}

function keyOf(client: Codecs, { id, runId }: HistoryRef, what: keyof Kept): string {
  return `${folderOf(client, id)}/${runId}/${what}`;
}
