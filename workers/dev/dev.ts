import { HoldfastError } from '../../agent/errors/error';
import { defined } from '../../agent/values/defined';
import type { Environment } from '../../runtime/binaries/download';
import { type Config, loadConfig } from '../../runtime/config/config';
import { noAgents } from '../load/load-agents';
import type { DevServer } from './dev-server';
import { keepWorker, type WorkerEvent } from './keep-worker';
import { type FoundServer, type MovedPort, openServer } from './open-server';
import { forkWorker } from './worker-child';

/** Events of {@link startDev}. */
export type DevEvent =
  /** `started`: the server belongs to the tree; otherwise it was running before, and goes on when the tree ends. */
  | { type: 'server.ready'; started: boolean; server: DevServer | FoundServer; moved: MovedPort[]; config: Config }
  | { type: 'server.log'; line: string }
  | WorkerEvent;

/** Options of {@link startDev}. */
export interface DevOptions {
  /** A temporal.yaml. Default `HOLDFAST_CONFIG`, then one in `cwd` or a folder above. */
  configPath?: string;
  /** Default the working directory. */
  cwd?: string;
  /**
   * Starts a server on this port, whatever `temporal.address` says; 0: a free one. Default: the server at
   * `temporal.address`, which is started there if it is on this machine and does not answer; without an address a
   * new one on `devServer.port`, 7233, or a free port.
   */
  port?: number;
  /** Port of the Web UI. Default `devServer.uiPort`, 8233, or a free one if that is taken. */
  uiPort?: number;
  /** Keeps runs in this file; without it they end with the server. Default `devServer.dbFile`. */
  dbFile?: string;
  /** Start no worker. Default false. */
  serverOnly?: boolean;
  /**
   * Start another worker when a module of agents or temporal.yaml changes, which takes over once it works. Default
   * false.
   */
  reload?: boolean;
  /** Environment of server and worker. Default `process.env`. */
  env?: Environment;
  /** Ends everything, even during the start. */
  signal?: AbortSignal;
  /** Called for each event. */
  onEvent(event: DevEvent): void;
  /** Another module in place of worker-process, for tests. */
  workerModule?: string;
}

/** A running server and worker. */
export interface DevTree {
  /** The configuration from temporal.yaml. */
  readonly config: Config;
  /** The server; clients connect to its `address`. */
  readonly server: DevServer | FoundServer;
  /**
   * Resolves when everything has ended after {@link stop}; rejects when it could not continue, and everything has
   * ended.
   */
  readonly done: Promise<void>;
  /** Ends first the worker, then the server if the tree started it. */
  stop(): Promise<void>;
}

/**
 * Starts a Temporal dev server, or uses the one that `temporal.address` names, and a worker, which is restarted
 * whenever it ends unexpectedly.
 * @throws HoldfastError `PortTaken`, `NoBinary`, `DevServerFailed`, `NoServer`, `InvalidConfig`
 */
export async function startDev(options: DevOptions): Promise<DevTree> {
  const { env = process.env, cwd = process.cwd(), onEvent, signal, port, uiPort, dbFile } = options;
  const config = await loadConfig({ cwd, env, ...defined({ path: options.configPath }) });
  // Before a server is started that no worker will use.
  const { serverOnly = false, workerModule } = options;
  if (!serverOnly && workerModule === undefined && config.agents.length === 0) throw noAgents(config);
  // A worker takes as long to load its code as the server to start. It reads the agents once there is one.
  const early =
    serverOnly || workerModule !== undefined
      ? undefined
      : forkWorker({ env, cwd, configPath: options.configPath, replaces: undefined, workerModule, waits: true });
  const opened = await openServer({
    config,
    env,
    log: (line) => onEvent({ type: 'server.log', line }),
    ...defined({ port, uiPort, dbFile }),
  }).catch((error: unknown) => {
    early?.kill();
    throw error;
  });
  const { server } = opened;
  onEvent({ type: 'server.ready', config, ...opened });

  const workers = options.serverOnly ? undefined : keepWorker({ ...options, env, cwd, early }, opened, config);
  let stopped = false;
  let lost: HoldfastError | undefined;
  const stop = async (): Promise<void> => {
    stopped = true;
    await workers?.stop();
    if (opened.started) await opened.server.stop();
  };
  const ends: Promise<void>[] = workers === undefined ? [] : [workers.done];
  if (opened.started) {
    const end = opened.server.ended.then((problem) => {
      if (!stopped) lost = new HoldfastError('DevServerFailed', { problem });
    });
    ends.push(end);
  }
  const done = (ends.length === 0 ? Promise.resolve() : Promise.race(ends)).then(async () => {
    const reason = stopped ? undefined : (lost ?? workers?.failure());
    await stop();
    if (reason !== undefined) throw reason;
  });
  done.catch(() => {}); // a caller that awaits it gets it
  if (signal?.aborted) await stop();
  else signal?.addEventListener('abort', () => void stop(), { once: true });
  return { config, server, done, stop };
}
