import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { Client } from '@temporalio/client';
import { HoldfastError, messageOf } from '../../agent/errors/error';
import type { ArchivedFacts, ArchivedMessages, HistoryRef } from '../../agent/protocol/archive';
import { readPayloads } from '../payloads/read-payloads';
import { writePayload } from '../payloads/write-payload';
import { sha256 } from '../sha256';
import { type FolderedStore, MAX_OBJECT } from './object-store';
import { fromObject, toObject } from './payload-object';
import { within } from './within';

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** Milliseconds that one use of the store may take. */
const TIME = 30_000;
/** Bytes of JSON that an object may become: a history has at most 50 MB, with references to stored payloads more. */
const MAX_JSON = 512 * 1024 * 1024;
/** Temporal's ids of runs. Anyone may have written one into a history. */
const RUN_ID = /^[\w-]{1,64}$/;

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
  async put<What extends keyof Kept>(client: Codecs, ref: HistoryRef, what: What, value: Kept[What]): Promise<void> {
    const json = Buffer.from(JSON.stringify(value));
    const bytes = toObject(await writePayload(client, new Uint8Array(await deflate(json))));
    if (bytes.length > MAX_OBJECT) throw this.#unavailable(`an object of ${bytes.length} bytes is too large for it`);
    await this.#use((signal) => this.store.put(keyOf(client, ref, what), bytes, signal));
  }

  /**
   * `undefined` if it does not have it.
   * @throws HoldfastError `StorageUnavailable`, also for an object that cannot be read
   */
  async get<What extends keyof Kept>(client: Codecs, ref: HistoryRef, what: What): Promise<Kept[What] | undefined> {
    if (!RUN_ID.test(ref.runId)) return undefined;
    const bytes = await this.#use((signal) => this.store.get(keyOf(client, ref, what), signal));
    if (bytes === undefined) return undefined;
    try {
      const [packed] = await readPayloads<Uint8Array>(client, [fromObject(bytes)]);
      return JSON.parse(String(await inflate(packed ?? '', { maxOutputLength: MAX_JSON })));
    } catch (error) {
      throw this.#unavailable(`the ${what} of the history ${ref.runId} cannot be read: ${messageOf(error)}`);
    }
  }

  /**
   * Temporal's ids of the histories that it has of a workflow id, in no order.
   * @throws HoldfastError `StorageUnavailable`
   */
  histories(client: Codecs, id: string): Promise<string[]> {
    return this.#use((signal) => this.store.list(folderOf(client, id), signal));
  }

  /**
   * Deletes all that it has of a workflow id.
   * @throws HoldfastError `StorageUnavailable`
   */
  remove(client: Codecs, id: string): Promise<void> {
    return this.#use((signal) => this.store.remove(folderOf(client, id), signal));
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

function keyOf(client: Codecs, { id, runId }: HistoryRef, what: keyof Kept): string {
  return `${folderOf(client, id)}/${runId}/${what}`;
}
