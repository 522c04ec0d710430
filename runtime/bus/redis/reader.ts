import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../../agent/define/context';
import type { StreamBus, StreamDelta } from '../../../agent/protocol/stream';
import type { BusConfig } from '../../config/bus';
import { AnswersInProgress } from '../answers-in-progress';
import { createLocalBus, type LocalBus } from '../bus';
import { loadLibrary, placeOf, type Redis, RedisConnection } from './connection';
import { deltasIn, isBefore, keyOf, otherKey } from './entry';
import { Outage } from './outage';

/** Milliseconds after which a read without news is repeated, and after which it is taken for dead. */
const BLOCK = 10_000;
const DEAD = 20_000;
/** Entries of one stream in one answer. */
const COUNT = 200;
/** Milliseconds between two reads: each names all runs. One more for so many runs, and at most. */
const RUNS_PER_MS = 50;
const LONGEST_REST = 10;
/** Milliseconds until connections without readers are closed. */
const LINGER = 30_000;
/** Milliseconds that the stream which wakes the read is kept. */
const WAKE_TTL = 60_000;
/** Milliseconds before an error is tried again, at first and at most. */
const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 5000;
/** Before the first entry of a stream. */
const START = '0-0';

/** A run that has readers in this process. */
interface Place {
  readonly id: string;
  readers: number;
  /** Its readers have nothing yet, and get what goes on from its beginning. */
  isNew: boolean;
  /** The last entry that was read. */
  last: string;
  /** The blocking read has it. */
  isLive: boolean;
}

interface Connections {
  /** Waits for entries of all runs. */
  readonly reads: RedisConnection;
  /** Reads the beginning of a stream, and wakes the read. */
  readonly joins: RedisConnection;
}

/**
 * Reads deltas from Redis. One read waits for all runs that have readers in this process. A new run is read from the
 * beginning of its stream first; then an entry in a stream of this process wakes the read, which goes on with it: unlike
 * a command that unblocks, it cannot come too early. Connections are open while there are readers.
 */
export class RedisReader implements StreamBus {
  readonly #local: LocalBus;
  readonly #outage: Outage;
  readonly #wakeKey: string;
  /** By key. */
  readonly #places = new Map<string, Place>();
  #open: Connections | undefined;
  #joining = false;
  #linger: NodeJS.Timeout | undefined;

  constructor(
    private readonly config: BusConfig,
    private readonly namespace: string,
    log: Log,
  ) {
    loadLibrary();
    this.#local = createLocalBus({ log });
    this.#outage = new Outage(log, placeOf(config));
    this.#wakeKey = otherKey(config, `wake:${randomUUID()}`);
  }

  publish(delta: StreamDelta): void {
    this.#local.publish(delta);
  }

  subscribe(id: string, listener: (delta: StreamDelta) => void): () => void {
    const unsubscribe = this.#local.subscribe(id, listener);
    this.#enter(id);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      unsubscribe();
      this.#leave(id);
    };
  }

  /** Closes the connections. Readers get no more deltas, until another one subscribes. */
  close(): void {
    clearTimeout(this.#linger);
    this.#open?.reads.close();
    this.#open?.joins.close();
    this.#open = undefined;
  }

  #enter(id: string): void {
    const key = keyOf(this.config, this.namespace, id);
    const place = this.#places.get(key);
    if (place === undefined) this.#places.set(key, { id, readers: 1, isNew: true, last: START, isLive: false });
    else place.readers++;
    clearTimeout(this.#linger);
    if (this.#open === undefined) this.#connect();
    else if (place === undefined) this.#join();
  }

  #leave(id: string): void {
    const key = keyOf(this.config, this.namespace, id);
    const place = this.#places.get(key);
    if (place === undefined || --place.readers > 0) return;
    this.#places.delete(key);
    this.#local.forget(id);
    if (this.#places.size === 0) this.#linger = setTimeout(() => this.close(), LINGER).unref();
  }

  #connect(): void {
    let isAgain = false;
    const events = {
      onProblem: (error: unknown) => this.#outage.begin(error),
      onReady: () => {
        // What is there now may be another Redis, or an empty one.
        if (isAgain) this.#joinAgain();
        isAgain = true;
      },
    };
    const open = { reads: new RedisConnection(this.config, events), joins: new RedisConnection(this.config) };
    this.#open = open;
    this.#joinAgain();
    void this.#read(open.reads);
  }

  /** Reads what happens, until the connection is closed. */
  async #read(connection: RedisConnection): Promise<void> {
    let woken = START;
    let failures = 0;
    for (;;) {
      await connection.ready();
      if (connection.isClosed) return;
      const live = [...this.#places].filter(([, { isLive }]) => isLive);
      const streams = [{ key: this.#wakeKey, id: woken }, ...live.map(([key, { last }]) => ({ key, id: last }))];
      try {
        const found = await connection.run((client) => client.xRead(streams, { BLOCK, COUNT }), DEAD);
        if (!this.#joining) this.#outage.end();
        failures = 0;
        for (const { name, messages } of found ?? []) {
          if (name === this.#wakeKey) woken = messages.at(-1)?.id ?? woken;
          else for (const { id, message } of messages) this.#take(name, id, message);
        }
        const rest = Math.min(LONGEST_REST, live.length / RUNS_PER_MS);
        if (rest >= 1) await delay(rest, undefined, { ref: false });
      } catch (error) {
        if (connection.isClosed) return;
        this.#outage.begin(error);
        woken = START;
        // One stream that is none fails the read of all: joining finds out which.
        this.#joinAgain();
        await pause(failures++);
      }
    }
  }

  #take(key: string, entry: string, message: Record<string, unknown>): void {
    const place = this.#places.get(key);
    if (place === undefined || !isBefore(place.last, entry)) return;
    place.last = entry;
    for (const delta of deltasIn(message, place.id)) this.#local.publish(delta);
  }

  /** Runs may have missed something. */
  #joinAgain(): void {
    for (const place of this.#places.values()) place.isLive = false;
    this.#join();
  }

  /** Reads what new readers have missed, and lets the blocking read go on from there. */
  #join(): void {
    const connection = this.#open?.joins;
    if (this.#joining || connection === undefined || this.#waiting().length === 0) return;
    this.#joining = true;
    void this.#joinAll(connection).finally(() => {
      this.#joining = false;
      this.#join();
    });
  }

  #waiting(): [string, Place][] {
    return [...this.#places].filter(([, { isLive }]) => !isLive);
  }

  async #joinAll(connection: RedisConnection): Promise<void> {
    for (let failures = 0; ; ) {
      await connection.ready();
      const waiting = this.#waiting();
      if (waiting.length === 0 || connection.isClosed) return;
      try {
        const caughtUp = await Promise.allSettled(waiting.map((one) => this.#catchUp(connection, ...one)));
        await connection.run((client) => this.#wake(client));
        for (const result of caughtUp) if (result.status === 'rejected') throw result.reason;
        failures = 0;
      } catch (error) {
        if (connection.isClosed) return;
        this.#outage.begin(error);
        await pause(failures++);
      }
    }
  }

  async #catchUp(connection: RedisConnection, key: string, place: Place): Promise<void> {
    // An emptied stream has no last entry either, but its readers have the beginnings of its answers.
    const { isNew } = place;
    if (!isNew) await connection.run((client) => restart(client, key, place));
    const answers = new AnswersInProgress();
    for (let { last } = place; ; ) {
      const from = `(${last}`;
      const entries = (await connection.run((client) => client.xRange(key, from, '+', { COUNT }))) ?? [];
      // Its readers may have left, and come again, in the meantime.
      if (this.#places.get(key) !== place) return;
      for (const { id, message } of entries) {
        last = id;
        if (!isNew) this.#take(key, id, message);
        else for (const delta of deltasIn(message, place.id)) answers.note(delta);
      }
      if (entries.length === COUNT) continue;
      place.last = last;
      place.isNew = false;
      break;
    }
    for (const delta of answers.of(place.id)) this.#local.publish(delta);
    place.isLive = true;
  }

  async #wake(client: Redis): Promise<void> {
    const TRIM = { strategy: 'MAXLEN', threshold: 1 } as const;
    await Promise.all([client.xAdd(this.#wakeKey, '*', { w: '' }, { TRIM }), client.pExpire(this.#wakeKey, WAKE_TTL)]);
  }
}

/** Entries of a stream that was emptied may have smaller ids, if another clock numbers them. */
async function restart(client: Redis, key: string, place: Place): Promise<void> {
  const [newest] = (await client.xRevRange(key, '+', '-', { COUNT: 1 })) ?? [];
  if (newest === undefined || isBefore(newest.id, place.last)) place.last = START;
}

async function pause(failures: number): Promise<void> {
  await delay(Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** failures), undefined, { ref: false });
}
