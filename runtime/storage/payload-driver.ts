import { setTimeout as delay } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { ApplicationFailure, type Payload, type StorageDriver, StorageDriverClaim } from '@temporalio/common';
import { LRUCache } from 'lru-cache';
import type { Log } from '../../agent/define/context';
import { messageOf } from '../../agent/errors/error';
import { STORAGE } from '../../agent/protocol/calls/storage-failures';
import { defined } from '../../agent/values/defined';
import { within } from '../abort/within';
import { sha256 } from '../sha256';
import { MAX_OBJECT, type ObjectStore } from './object-store';
import { fromObject, toObject } from './payload-object';
import { refused, type User, unavailable } from './refusal';

/** Milliseconds that writing may take before the history takes the payload instead. */
const WRITE = 5000;
/** Milliseconds in which nothing is written after that, where the history can take it. */
const RECOVERY = 10_000;
/** Milliseconds for which reading is repeated. A workflow task has ten seconds, and is repeated by itself. */
const READ = 8000;
/** Bytes of base64 that a history takes instead of the storage: 2 MiB with what is around it. */
const MAX_INLINE = 1_800_000;
/** Bytes of objects that a process remembers: a worker that takes over a run reads each twice and more. */
const REMEMBERED = 64 * 1024 * 1024;

interface DriverOptions {
  user: User;
  log?: Log;
}

/**
 * Keeps payloads in an object store, under the hash of each, so that repeating a write changes nothing. While the store
 * cannot be written, histories take the payloads, compressed, and nothing waits; while it cannot be read, what needs
 * it waits.
 */
export class PayloadDriver implements StorageDriver {
  readonly name = 'holdfast';
  readonly type = 'holdfast.payloads';
  readonly #known = new LRUCache<string, Uint8Array>({ maxSize: REMEMBERED, sizeCalculation: (bytes) => bytes.length });
  readonly #user: User;
  readonly #log: Log | undefined;
  #downUntil = 0;

  constructor(
    private readonly objects: ObjectStore,
    { user, log }: DriverOptions,
  ) {
    this.#user = user;
    this.#log = log;
  }

  store({ abortSignal }: { abortSignal?: AbortSignal }, payloads: Payload[]): Promise<StorageDriverClaim[]> {
    return Promise.all(
      payloads.map(async (payload) => new StorageDriverClaim(await this.#store(payload, abortSignal))),
    );
  }

  retrieve({ abortSignal }: { abortSignal?: AbortSignal }, claims: StorageDriverClaim[]): Promise<Payload[]> {
    return Promise.all(claims.map(({ claimData }) => this.#retrieve(claimData, abortSignal)));
  }

  async #store(payload: Payload, signal: AbortSignal | undefined): Promise<Record<string, string>> {
    const bytes = toObject(payload);
    if (bytes.length > MAX_OBJECT) {
      const problem = `A payload has ${bytes.length} bytes, and the storage takes at most ${MAX_OBJECT}. Make it smaller.`;
      throw ApplicationFailure.nonRetryable(problem, STORAGE.written);
    }
    const key = sha256(bytes);
    if (Date.now() < this.#downUntil) {
      const gzip = inline(bytes);
      if (gzip !== undefined) return { gzip };
    }
    try {
      await within(WRITE, signal, (timed) => this.objects.put(key, bytes, timed));
      this.#known.set(key, bytes);
      return { key };
    } catch (error) {
      signal?.throwIfAborted();
      this.#tell(error);
      const gzip = inline(bytes);
      if (gzip !== undefined) return { gzip };
      throw this.#unavailable('written', error);
    }
  }

  /** Anyone may have written the reference: it must not name another file, or end a task. */
  async #retrieve({ key, gzip }: Record<string, string>, signal: AbortSignal | undefined): Promise<Payload> {
    if (gzip !== undefined) return this.#payloadIn(() => unpacked(gzip));
    if (key === undefined || !/^[0-9a-f]{64}$/.test(key)) return this.#refused(NO_REFERENCE);
    const known = this.#known.get(key);
    const bytes = known ?? (await this.#read(key, signal));
    if (bytes === undefined) return this.#refused(`${this.objects.where} does not have it (${key})`);
    if (known === undefined && sha256(bytes) !== key) {
      return this.#refused(`${this.objects.where} has something else in its place (${key})`);
    }
    this.#known.set(key, bytes);
    return this.#payloadIn(() => bytes);
  }

  async #read(key: string, signal: AbortSignal | undefined): Promise<Uint8Array | undefined> {
    const until = Date.now() + READ;
    for (let pause = 100; ; pause *= 2) {
      try {
        return await within(until - Date.now(), signal, (timed) => this.objects.get(key, timed));
      } catch (error) {
        signal?.throwIfAborted();
        if (Date.now() + pause > until) throw this.#unavailable('read', error);
        await delay(pause, undefined, defined({ signal }));
      }
    }
  }

  #payloadIn(bytes: () => Uint8Array): Payload {
    try {
      return fromObject(bytes());
    } catch {
      return this.#refused(NO_REFERENCE);
    }
  }

  #refused(problem: string): Payload {
    return refused(this.#user, problem);
  }

  #unavailable(doing: keyof typeof STORAGE, error: unknown): Error {
    return unavailable(this.#user, doing, { where: this.objects.where, problem: messageOf(error) });
  }

  /** Once for each outage. */
  #tell(error: unknown): void {
    const isNew = this.#downUntil < Date.now() - RECOVERY;
    this.#downUntil = Date.now() + RECOVERY;
    if (!isNew) return;
    const todo = 'Until it is back, histories take the payloads themselves.';
    this.#log?.warn({}, `${this.#unavailable('written', error).message} ${todo}`);
  }
}

const NO_REFERENCE = 'its reference to the storage is not valid';

/** `undefined` for more than a history takes. */
function inline(bytes: Uint8Array): string | undefined {
  const gzip = gzipSync(bytes).toString('base64');
  return gzip.length <= MAX_INLINE ? gzip : undefined;
}

/** @throws for bytes that are not gzip, or larger than any object */
function unpacked(gzip: string): Uint8Array {
  return gunzipSync(Buffer.from(gzip, 'base64'), { maxOutputLength: MAX_OBJECT });
}
