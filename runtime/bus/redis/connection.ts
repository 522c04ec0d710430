import type { createClient } from 'redis';
import { HoldfastError } from '../../../agent/errors/error';
import { defined } from '../../../agent/values/defined';
import type { BusConfig } from '../../config/bus';

type Library = typeof import('redis');
/** A client of the library `redis`. */
export type Redis = ReturnType<typeof plainClient>;

/** Milliseconds in which a command has to be answered: a connection may be dead without a word. */
const LIMIT = 10_000;
/** Milliseconds that a connection may take. */
const CONNECT = 5000;
/** Milliseconds between two tries to connect, at first and at most. */
const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 5000;

export interface ConnectionEvents {
  /** It can be used, for the first time or again. */
  onReady?(): void;
  onProblem?(error: unknown): void;
}

/** One connection to Redis, which connects again by itself until it is closed. It keeps no process alive. */
export class RedisConnection {
  #client: Redis | undefined;
  /** The client whose server was found to be of the right kind. */
  #known: Redis | undefined;
  #closed = false;
  /** Tries since it last worked. */
  #tries = 0;
  #retry: NodeJS.Timeout | undefined;
  readonly #waiting = new Set<() => void>();

  constructor(
    private readonly config: BusConfig,
    private readonly events: ConnectionEvents = {},
  ) {
    this.#open();
  }

  get isReady(): boolean {
    return this.#client?.isReady === true && this.#known === this.#client;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** Resolves when it can be used, or is closed. */
  async ready(): Promise<void> {
    if (this.isReady || this.#closed) return;
    await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  /** Sends commands; if they are not answered in time, another connection takes the place of this one. */
  async run<T>(send: (client: Redis) => Promise<T>, limit = LIMIT): Promise<T> {
    const client = this.#client;
    if (client === undefined) throw new Error('The connection to Redis is closed');
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(new Error(`Redis has not answered for ${limit / 1000} s`));
        if (this.#client !== client) return;
        client.destroy();
        this.#open();
      }, limit).unref();
    });
    try {
      return await Promise.race([send(client), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
    const client = this.#client;
    this.#client = undefined;
    if (client?.isOpen) client.destroy();
    this.#wake();
  }

  #open(): void {
    clearTimeout(this.#retry);
    this.#retry = undefined;
    const client = plainClient(loadLibrary().createClient, this.config);
    this.#client = client;
    client.unref();
    client.on('error', (error: unknown) => this.#fail(client, error));
    client.on('ready', () => void this.#greet(client));
    client.connect().catch((error: unknown) => this.#fail(client, error));
  }

  async #greet(client: Redis): Promise<void> {
    if (this.#client !== client) return;
    try {
      await this.run(refuseCluster);
    } catch (error) {
      if (this.#closed) return;
      // One that does not answer was replaced already.
      if (this.#client !== client) return this.events.onProblem?.(error);
      if (client.isOpen) client.destroy();
      return this.#fail(client, error);
    }
    if (this.#client !== client) return;
    this.#known = client;
    this.#tries = 0;
    this.events.onReady?.();
    this.#wake();
  }

  #fail(client: Redis, error: unknown): void {
    if (this.#client !== client) return;
    this.events.onProblem?.(error);
    if (client.isOpen || this.#retry !== undefined) return;
    // All processes notice an outage at the same time, and must not come back at the same time.
    const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** this.#tries++) * (0.75 + Math.random() / 2);
    this.#retry = setTimeout(() => this.#open(), pause).unref();
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }
}

const CLUSTER = 'It is a node of a Redis Cluster, which the bus cannot use: name a single Redis as `bus.redis`';

/** One read of the bus names streams of many runs, which a cluster keeps on different nodes. */
async function refuseCluster(client: Redis): Promise<void> {
  let about: unknown;
  try {
    // Every user may send it.
    about = await client.sendCommand(['HELLO']);
  } catch (error) {
    // Older ones do not know it.
    if (isRefusal(error)) return;
    throw error;
  }
  if (Array.isArray(about) && about[about.indexOf('mode') + 1] === 'cluster') throw new Error(CLUSTER);
}

/** The place without what must not be in a log. */
export function placeOf({ redis }: BusConfig): string {
  const { protocol, host, pathname } = new URL(redis);
  return `${protocol}//${host}${pathname}`;
}

/** Whether Redis answered, and refused: such as a full Redis. */
export function isRefusal(error: unknown): boolean {
  return error instanceof loadLibrary().ErrorReply;
}

function plainClient(create: typeof createClient, { redis: url, username, password }: BusConfig) {
  return create({
    url,
    ...defined({ username, password }),
    // Understood by every Redis that has streams.
    RESP: 2,
    disableClientInfo: true,
    // What cannot be sent now is kept, and bounded, by those who send it.
    disableOfflineQueue: true,
    socket: {
      connectTimeout: CONNECT,
      // Its pauses keep a process alive that has ended otherwise.
      reconnectStrategy: false,
    },
  });
}

/**
 * An optional peer: only those who use it install it, and only they load it.
 * @throws HoldfastError `InvalidConfig` if it is not installed
 */
export function loadLibrary(): Library {
  try {
    return require('redis') as Library;
  } catch (error) {
    const problem = 'The package `redis`, which `bus.redis` needs, is not installed; run `npm install redis`';
    throw new HoldfastError('InvalidConfig', { file: 'temporal.yaml', problem }, { cause: error });
  }
}
