import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../../agent/define/context';
import type { McpServer } from '../../agent/define/mcp-server';
import { canonicalJson } from '../../agent/values/json';
import { untilAborted } from '../../runtime/abort/until-aborted';
import { BackOff } from './back-off';
import type { OpenServer } from './open-server';
import { ServerFailure, SessionExpired } from './server-failure';

const IDLE_TIME = 60_000;

// The SDK of MCP takes a fifth of what a worker loads, and many agents have no servers. With `require`, because `import()`
// fails in users' tests under jest.
const loadClient = () => require('./client') as typeof import('./client');

interface Connection {
  server: Promise<OpenServer>;
  /** The same, once it is open. */
  opened?: OpenServer;
  users: number;
  timer?: NodeJS.Timeout;
  /** Closed by us: its end is not a crash. */
  dropped?: true;
}

export interface McpConnectionsOptions {
  /** Milliseconds without use after which a server is closed. Default 60,000. */
  idleTime?: number;
  log?: Log;
}

/**
 * The MCP servers of one worker. Equal definitions share one connection: it is opened at the first use, closed when it
 * was unused for a while, and reopened at the next use after it ended. The sooner a server ends again, the longer the
 * next start waits. Apart from that, a failed start is not remembered.
 */
export class McpConnections {
  readonly #open = new Map<string, Connection>();
  readonly #backOffs = new Map<string, BackOff>();
  readonly #closing = new Set<Promise<void>>();
  readonly #shutdown = new AbortController();
  readonly #idleTime: number;
  /** Gets the events of servers. */
  readonly log: Log | undefined;

  constructor({ idleTime = IDLE_TIME, log }: McpConnectionsOptions = {}) {
    this.#idleTime = idleTime;
    this.log = log;
  }

  /**
   * Lends the server to `work`. `work` is repeated only if the server had forgotten the session, and then once: if the
   * server dies during `work`, that is its error. `signal` ends only this caller's wait for the start, which
   * others may share.
   * @throws ServerFailure when the server cannot be started
   */
  async use<T>(definition: McpServer, work: (server: OpenServer) => Promise<T>, signal?: AbortSignal): Promise<T> {
    try {
      return await this.#useOnce(definition, work, signal);
    } catch (error) {
      if (!(error instanceof SessionExpired)) throw error;
      return this.#useOnce(definition, work, signal);
    }
  }

  /** Ends every server and every pending start, and resolves when their processes are gone. Later uses are refused. */
  async close(): Promise<void> {
    this.#shutdown.abort(shutDown());
    for (const [key, connection] of this.#open) this.#drop(key, connection);
    await Promise.all(this.#closing);
  }

  async #useOnce<T>(
    definition: McpServer,
    work: (server: OpenServer) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    signal?.throwIfAborted();
    if (this.#shutdown.signal.aborted) throw shutDown();
    const key = canonicalJson(definition);
    const connection = this.#open.get(key) ?? this.#start(key, definition);
    connection.users++;
    clearTimeout(connection.timer);
    try {
      return await work(await untilAborted(connection.server, signal));
    } finally {
      connection.users--;
      this.#release(key, connection);
    }
  }

  #start(key: string, definition: McpServer): Connection {
    const backOff = this.#backOffs.get(key) ?? new BackOff();
    this.#backOffs.set(key, backOff);
    const server = this.#openServer(definition, backOff);
    const connection: Connection = { server, users: 0 };
    this.#open.set(key, connection);
    const ended = (lifetime: number) => {
      clearTimeout(connection.timer);
      if (this.#open.get(key) === connection) this.#open.delete(key);
      if (connection.dropped === undefined) backOff.failed(Date.now(), lifetime);
    };
    server.then(
      (opened) => {
        const since = Date.now();
        connection.opened = opened;
        return opened.closed.then(() => ended(Date.now() - since));
      },
      () => ended(0),
    );
    return connection;
  }

  async #openServer(definition: McpServer, backOff: BackOff): Promise<OpenServer> {
    const { signal } = this.#shutdown;
    const wait = backOff.wait(Date.now());
    if (wait > 0) await untilAborted(pause(wait, undefined, { ref: false }), signal);
    return loadClient().openServer(definition, { signal, log: this.log });
  }

  /** After a use: calls in progress keep a stale connection, but no other call gets it. */
  #release(key: string, connection: Connection): void {
    const stale = connection.opened?.stale === true;
    if (stale && this.#open.get(key) === connection) this.#open.delete(key);
    if (connection.users > 0) return;
    if (stale) this.#drop(key, connection);
    if (this.#open.get(key) !== connection) return;
    connection.timer = setTimeout(() => this.#drop(key, connection), this.#idleTime);
    // It does not keep a worker from exiting.
    connection.timer.unref();
  }

  #drop(key: string, connection: Connection): void {
    connection.dropped = true;
    clearTimeout(connection.timer);
    if (this.#open.get(key) === connection) this.#open.delete(key);
    const closing = connection.server
      .then((server) => server.close())
      .catch((error) => this.log?.debug({ error }, 'an MCP server was not open'))
      .finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }
}

function shutDown(): ServerFailure {
  return new ServerFailure('the worker shuts down');
}
