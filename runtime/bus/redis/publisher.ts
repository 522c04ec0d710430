import type { Log } from '../../../agent/define/context';
import type { StreamDelta } from '../../../agent/protocol/stream';
import type { BusConfig } from '../../config/bus';
import { sizeOf } from '../answers-in-progress';
import { isRefusal, loadLibrary, placeOf, type Redis, RedisConnection } from './connection';
import { entryOf, keyOf } from './entry';
import { Outage } from './outage';

const MAX_LENGTH = 10_000;
const TTL = 600_000;
/** Deltas that wait while Redis is away, and the characters that they may have: the worker's memory is not its buffer. */
const MAX_QUEUED = 10_000;
const MAX_SIZE = 16_000_000;
/** Runs whose expiry is remembered. */
const MAX_RUNS = 10_000;
/** Milliseconds that the last deltas may take when the worker ends. */
const LAST = 1000;

/**
 * Writes deltas into the streams of their runs. Those that come while an earlier write is in progress go together, one
 * entry for each run. While Redis is away the newest wait.
 */
export class RedisPublisher {
  #connection: RedisConnection | undefined;
  readonly #outage: Outage;
  #queue: StreamDelta[] = [];
  #size = 0;
  /** Deltas lost in this outage. */
  #lost = 0;
  #sending: Promise<void> | undefined;
  #isPlanned = false;
  /** When the expiry of a stream is to be renewed, by its key. */
  readonly #renewals = new Map<string, number>();

  constructor(
    private readonly config: BusConfig,
    private readonly namespace: string,
    log: Log,
  ) {
    loadLibrary();
    this.#outage = new Outage(log, placeOf(config));
  }

  /** Connects. Until then, deltas wait. */
  open(): void {
    this.#connection = new RedisConnection(this.config, {
      onProblem: (error) => this.#outage.begin(error),
      onReady: () => {
        // It may be another Redis, or an empty one.
        this.#renewals.clear();
        if (this.#queue.length === 0) this.#isBack();
        this.#plan();
      },
    });
  }

  publish(delta: StreamDelta): void {
    this.#queue.push(delta);
    this.#size += sizeOf(delta);
    this.#bound();
    this.#plan();
  }

  /** Sends what waits, if that is possible at once, and closes the connection. */
  async close(): Promise<void> {
    const connection = this.#connection;
    if (connection === undefined) return;
    const end = new Promise<void>((resolve) => setTimeout(resolve, LAST).unref());
    await Promise.race([this.#last(connection), end]);
    connection.close();
  }

  async #last(connection: RedisConnection): Promise<void> {
    while (connection.isReady && (this.#queue.length > 0 || this.#sending !== undefined)) {
      await (this.#sending ?? this.#flush(connection));
    }
  }

  #wait(deltas: readonly StreamDelta[]): void {
    this.#queue = [...deltas, ...this.#queue];
    this.#size = this.#queue.reduce((sum, delta) => sum + sizeOf(delta), 0);
    this.#bound();
  }

  /** The oldest are lost first: an answer with a gap is only readable up to there. */
  #bound(): void {
    while (this.#queue.length > MAX_QUEUED || (this.#size > MAX_SIZE && this.#queue.length > 1)) {
      const oldest = this.#queue.shift();
      if (oldest !== undefined) this.#size -= sizeOf(oldest);
      this.#lost++;
    }
  }

  /** Not at once: deltas that are published together are sent together. */
  #plan(): void {
    const connection = this.#connection;
    if (this.#isPlanned || this.#sending !== undefined || this.#queue.length === 0) return;
    if (connection?.isReady !== true) return;
    this.#isPlanned = true;
    setImmediate(() => {
      this.#isPlanned = false;
      if (this.#sending === undefined && connection.isReady) void this.#flush(connection);
    });
  }

  #flush(connection: RedisConnection): Promise<void> {
    const byRun = groupById(this.#queue);
    this.#queue = [];
    this.#size = 0;
    this.#sending = this.#send(connection, [...byRun.values()]).finally(() => {
      this.#sending = undefined;
      this.#plan();
    });
    return this.#sending;
  }

  async #send(connection: RedisConnection, entries: readonly StreamDelta[][]): Promise<void> {
    const unsent = new Set(entries);
    let refusal: unknown;
    try {
      await connection.run((client) =>
        Promise.all(
          entries.map(async (deltas) => {
            try {
              await this.#add(client, deltas);
              unsent.delete(deltas);
            } catch (error) {
              if (!isRefusal(error)) throw error;
              refusal = error;
              unsent.delete(deltas);
              this.#lost += deltas.length;
            }
          }),
        ),
      );
      if (refusal === undefined) this.#isBack();
      else this.#outage.begin(refusal);
    } catch (error) {
      this.#outage.begin(error);
      const again = [...unsent].flat();
      // What fails on a connection that works would always fail.
      if (connection.isReady) this.#lost += again.length;
      // They may have got there: readers ignore what they know.
      else this.#wait(again);
    }
  }

  async #add(client: Redis, deltas: readonly StreamDelta[]): Promise<void> {
    const { maxLength = MAX_LENGTH, ttl = TTL } = this.config;
    const { id } = deltas[0] as StreamDelta;
    const key = keyOf(this.config, this.namespace, id);
    const TRIM = { strategy: 'MAXLEN', strategyModifier: '~', threshold: maxLength } as const;
    const added = client.xAdd(key, '*', entryOf(deltas), { TRIM });
    const now = performance.now();
    const renews = now >= (this.#renewals.get(key) ?? 0);
    if (renews && this.#renewals.size >= MAX_RUNS) this.#renewals.clear();
    if (renews) this.#renewals.set(key, now + ttl / 2);
    if (deltas.some(({ type }) => type === 'stream.complete')) this.#renewals.delete(key);
    await Promise.all([added, ...(renews ? [client.pExpire(key, ttl)] : [])]);
  }

  #isBack(): void {
    this.#outage.end(this.#lost);
    this.#lost = 0;
  }
}

function groupById(deltas: readonly StreamDelta[]): Map<string, StreamDelta[]> {
  const groups = new Map<string, StreamDelta[]>();
  for (const delta of deltas) {
    const group = groups.get(delta.id);
    if (group === undefined) groups.set(delta.id, [delta]);
    else group.push(delta);
  }
  return groups;
}
