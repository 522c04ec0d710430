import type { ChildProcess } from 'node:child_process';
import { type ErrorType, HoldfastError } from '../../agent/errors/error';
import { defined } from '../../agent/values/defined';
import type { Environment } from '../../runtime/binaries/download';
import { type Config, loadConfig } from '../../runtime/config/config';
import { eachLine } from '../../runtime/process/child-process';
import { type Supervisor, supervise } from '../../runtime/process/supervise';
import { noAgents } from '../load/load-agents';
import type { WorkerMessage, WorkerReady } from '../worker-process';
import type { DevServer } from './dev-server';
import { type FoundServer, type MovedPort, type OpenedServer, openServer } from './open-server';
import { watchFiles } from './watch-files';
import { begin, forkWorker, workerEnvironment } from './worker-child';

/** Events of {@link startDev}. */
export type DevEvent =
  /** `started`: the server belongs to the tree; otherwise it was running before, and goes on when the tree ends. */
  | { type: 'server.ready'; started: boolean; server: DevServer | FoundServer; moved: MovedPort[]; config: Config }
  | { type: 'server.log'; line: string }
  /** `replaces`: the process id of the worker that it takes over from, after a change. */
  | (Omit<WorkerReady, 'type' | 'files'> & { type: 'worker.ready'; replaces?: number })
  /** Files of the agents or temporal.yaml have changed: another worker starts with them. */
  | { type: 'change'; files: string[] }
  | { type: 'worker.log'; line: string }
  | { type: 'worker.exit'; pid: number | undefined; code: number | null; signal: NodeJS.Signals | null }
  | { type: 'worker.restart'; delay: number }
  /** The worker does not start again before a module of agents or temporal.yaml changes. */
  | { type: 'worker.waiting' }
  /** A worker could not start. After a change, the worker with the process id `kept` goes on. */
  | { type: 'worker.failed'; problem: string; kept?: number };

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
 * Start attempts of a worker that worked before and reports why it cannot start now: a file may just be being saved.
 */
const START_ATTEMPTS = 3;
/** Milliseconds beyond `worker.shutdownGrace` that a replaced worker gets to end. */
const LAST_REPORTS = 10_000;

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

interface Workers extends Pick<Supervisor, 'done' | 'stop'> {
  /** Why no worker can start. */
  failure(): HoldfastError | undefined;
}

/** Keeps one worker running, and replaces it after changes. */
function keepWorker(
  options: DevOptions & { env: Environment; cwd: string; early: ChildProcess | undefined },
  opened: OpenedServer,
  { file, worker }: Config,
): Workers {
  const { cwd, onEvent, configPath, workerModule, reload = false } = options;
  const env = workerEnvironment(options.env, opened);
  let { early } = options;
  let failure: HoldfastError | undefined;
  let worked = false;
  const watched = (files: readonly string[]) => (file === undefined ? [...files] : [file, ...files]);

  const workers = supervise({
    start(ready, replaces) {
      const since = Date.now();
      const child =
        early === undefined ? forkWorker({ env, cwd, configPath, replaces, workerModule }) : begin(early, env);
      early = undefined;
      child.on('message', (message: WorkerMessage) => {
        if (message.type === 'failed') {
          const { type, message: text, data } = message.error;
          failure = HoldfastError.revive(type as ErrorType, String(text), data);
          watch?.watch(watched(message.files), { since, neighbours: true });
          // The first failure ends everything, with this error.
          if (worked) onEvent({ type: 'worker.failed', problem: failure.message, ...defined({ kept: replaces }) });
        } else {
          const { files, ...about } = message;
          ready();
          failure = undefined;
          worked = true;
          watch?.watch(watched(files), { since });
          onEvent({ ...about, ...defined({ replaces }), type: 'worker.ready' });
        }
      });
      for (const stream of [child.stdout, child.stderr]) {
        eachLine(stream, (line) => onEvent({ type: 'worker.log', line }));
      }
      return child;
    },
    onUnready(failures) {
      if (failure === undefined || failures < (worked ? START_ATTEMPTS : 1)) return 'retry';
      if (!worked || !reload) return 'stop';
      // The server has runs, which continue after the mistake has been corrected.
      onEvent({ type: 'worker.waiting' });
      return 'wait';
    },
    replacedGrace: worker.shutdownGrace + LAST_REPORTS,
    onEvent: (event) =>
      onEvent(event.type === 'exit' ? { ...event, type: 'worker.exit' } : { ...event, type: 'worker.restart' }),
  });
  const replace = replacing(workers);
  const onChange = (files: string[]) => {
    onEvent({ type: 'change', files });
    void replace();
  };
  const watch = reload ? watchFiles(onChange) : undefined;
  return {
    done: workers.done,
    failure: () => failure,
    async stop() {
      await watch?.close();
      await workers.stop();
    },
  };
}

/** Replaces the worker, once for changes that come while another one starts. */
function replacing({ replace }: Supervisor): () => Promise<void> {
  let working = false;
  let again = false;
  return async () => {
    again = true;
    if (working) return;
    working = true;
    while (again) {
      again = false;
      await replace();
    }
    working = false;
  };
}
