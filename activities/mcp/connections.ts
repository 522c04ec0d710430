import type { Log } from '../../agent/context';
import type { McpStdioServer } from '../../agent/define-agent';
import { canonicalJson } from '../../agent/json';
import { openServer } from './client';
import type { OpenServer } from './open-server';
import { ServerFailure } from './server-failure';
import { untilAborted } from './until-aborted';

const IDLE_TIME = 60_000;

interface Connection {
  server: Promise<OpenServer>;
  users: number;
  timer?: NodeJS.Timeout;
}

export interface McpConnectionsOptions {
  /** Milliseconds without use after which a server is closed. Default 60,000. */
  idleTime?: number;
  log?: Log;
}

/**
 * The MCP servers of one worker. Equal definitions share one process: it is started at the first use, closed when nobody
 * has used it for a while, and started anew at the next use after it died. A failed start is not remembered.
 */
export class McpConnections {
  readonly #open = new Map<string, Connection>();
  readonly #closing = new Set<Promise<void>>();
  readonly #shutdown = new AbortController();
  readonly #idleTime: number;
  readonly #log: Log | undefined;

  constructor({ idleTime = IDLE_TIME, log }: McpConnectionsOptions = {}) {
    this.#idleTime = idleTime;
    this.#log = log;
  }

  /**
   * Lends the server to `work`, which is never repeated: when the server dies in the midst of it, that is its error.
   * `signal` ends only this caller's wait for the start, which others may share.
   * @throws ServerFailure when the server cannot be started
   */
  async use<T>(definition: McpStdioServer, work: (server: OpenServer) => Promise<T>, signal?: AbortSignal): Promise<T> {
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
      this.#closeWhenIdle(key, connection);
    }
  }

  /** Ends every server and every start under way, and resolves when their processes are gone. Later uses are refused. */
  async close(): Promise<void> {
    this.#shutdown.abort(shutDown());
    for (const [key, connection] of this.#open) this.#drop(key, connection);
    await Promise.all(this.#closing);
  }

  #start(key: string, definition: McpStdioServer): Connection {
    const server = openServer(definition, { signal: this.#shutdown.signal, log: this.#log });
    const connection: Connection = { server, users: 0 };
    this.#open.set(key, connection);
    const forget = () => {
      clearTimeout(connection.timer);
      if (this.#open.get(key) === connection) this.#open.delete(key);
    };
    server.then(({ closed }) => closed.then(forget), forget);
    return connection;
  }

  #closeWhenIdle(key: string, connection: Connection): void {
    if (connection.users > 0 || this.#open.get(key) !== connection) return;
    connection.timer = setTimeout(() => this.#drop(key, connection), this.#idleTime);
    // A worker that is about to exit is not held up by this.
    connection.timer.unref();
  }

  #drop(key: string, connection: Connection): void {
    clearTimeout(connection.timer);
    this.#open.delete(key);
    const closing = connection.server
      .then((server) => server.close())
      .catch((error) => this.#log?.debug({ error }, 'an MCP server was not open'))
      .finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }
}

function shutDown(): ServerFailure {
  return new ServerFailure('the worker shuts down');
}
