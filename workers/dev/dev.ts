import { type ChildProcess, fork } from 'node:child_process';
import { dirname, join } from 'node:path';
import { type ErrorType, HoldfastError } from '../../agent/errors/error';
import { defined } from '../../agent/values/defined';
import type { Environment } from '../../runtime/binaries/download';
import { type Config, loadConfig } from '../../runtime/config/config';
import { eachLine, endWithParent } from '../../runtime/process/child-process';
import { freePort, isFree } from '../../runtime/process/ports';
import { supervise } from '../../runtime/process/supervise';
import type { WorkerMessage } from '../worker-process';
import { type DevServer, startDevServer } from './dev-server';

/** Events of {@link startDev}. */
export type DevEvent =
  /** `moved`: ports that were taken, and the ports chosen instead. */
  | { type: 'server.ready'; server: DevServer; moved: { what: string; from: number; to: number }[] }
  | { type: 'server.log'; line: string }
  | { type: 'worker.ready'; pid: number; taskQueue: string; agents: string[] }
  | { type: 'worker.log'; line: string }
  | { type: 'worker.exit'; pid: number | undefined; code: number | null; signal: NodeJS.Signals | null }
  | { type: 'worker.restart'; delay: number };

/** Options of {@link startDev}. */
export interface DevOptions {
  /** A temporal.yaml. Default `HOLDFAST_CONFIG`, then one in `cwd` or a folder above. */
  configPath?: string;
  /** Default the working directory. */
  cwd?: string;
  /** Options that are not set come from the file's `devServer` section. */
  port?: number;
  /** Port of the Web UI. Default 8233, or a free one if that is taken. */
  uiPort?: number;
  /** Keeps runs in this file; without it they end with the server. */
  dbFile?: string;
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
  readonly server: DevServer;
  /**
   * Resolves when everything has ended after {@link stop}; rejects when it could not continue, and everything has
   * ended.
   */
  readonly done: Promise<void>;
  /** Ends first the worker, then the server. */
  stop(): Promise<void>;
}

/**
 * Start attempts of a worker that worked before and reports why it cannot start now: a file may just be being saved.
 */
const START_ATTEMPTS = 3;

/**
 * Starts a Temporal dev server and a worker, which is restarted whenever it ends unexpectedly.
 * @throws HoldfastError `PortTaken`, `NoBinary`, `DevServerFailed`, `InvalidConfig`
 */
export async function startDev(options: DevOptions): Promise<DevTree> {
  const { env = process.env, cwd = process.cwd(), onEvent, signal } = options;
  const config = await loadConfig({
    cwd,
    env,
    ...defined({ path: options.configPath }),
  });
  const { ip = '127.0.0.1' } = config.devServer;
  const moved: { what: string; from: number; to: number }[] = [];
  const choose = async (what: string, wanted: number | undefined, usual: number): Promise<number> => {
    if (wanted !== undefined) return wanted;
    if (await isFree(usual, ip)) return usual;
    const to = await freePort(ip);
    moved.push({ what, from: usual, to });
    return to;
  };
  const dbFile = options.dbFile ?? config.devServer.dbFile;
  const server = await startDevServer({
    port: await choose('Temporal', options.port ?? config.devServer.port, 7233),
    uiPort: await choose('Web UI', options.uiPort ?? config.devServer.uiPort, 8233),
    ip,
    namespace: config.temporal.namespace,
    env,
    log: (line) => onEvent({ type: 'server.log', line }),
    ...defined({ dbFile }),
  });
  onEvent({ type: 'server.ready', server, moved });

  let stopped = false;
  let failure: HoldfastError | undefined;
  let worked = false;
  const workers = supervise({
    start(ready) {
      const child = forkWorker(options, workerEnvironment(env, server), cwd);
      child.on('message', (message: WorkerMessage) => {
        if (message.type === 'failed') {
          const { type, message: text, data } = message.error;
          failure = HoldfastError.revive(type as ErrorType, String(text), data);
        } else {
          ready();
          failure = undefined;
          worked = true;
          onEvent({ ...message, type: 'worker.ready' });
        }
      });
      for (const stream of [child.stdout, child.stderr]) {
        eachLine(stream, (line) => onEvent({ type: 'worker.log', line }));
      }
      return child;
    },
    hopeless: (failures) => failure !== undefined && failures >= (worked ? START_ATTEMPTS : 1),
    onEvent: (event) =>
      onEvent(event.type === 'exit' ? { ...event, type: 'worker.exit' } : { ...event, type: 'worker.restart' }),
  });

  const stop = async (): Promise<void> => {
    stopped = true;
    await workers.stop();
    await server.stop();
  };
  const lost = server.ended.then((problem) => {
    if (!stopped) failure = new HoldfastError('DevServerFailed', { problem });
  });
  const done = Promise.race([workers.done, lost]).then(async () => {
    const reason = stopped ? undefined : failure;
    await stop();
    if (reason !== undefined) throw reason;
  });
  done.catch(() => {}); // a caller that awaits it gets it
  if (signal?.aborted) await stop();
  else signal?.addEventListener('abort', () => void stop(), { once: true });
  return { config, server, done, stop };
}

/** The worker belongs to our server, whatever the file or a profile says about other clusters. */
function workerEnvironment(env: Environment, { address, namespace }: DevServer): NodeJS.ProcessEnv {
  const own = Object.entries(env).filter(([name]) => !/^TEMPORAL_(TLS|PROFILE|CONFIG|API_KEY|GRPC_META)/.test(name));
  return {
    ...Object.fromEntries(own),
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
    TEMPORAL_TLS: 'false',
  };
}

function forkWorker({ configPath, workerModule }: DevOptions, env: NodeJS.ProcessEnv, cwd: string): ChildProcess {
  const module = workerModule ?? require.resolve('../worker-process');
  const args = configPath === undefined ? [] : ['--config', configPath];
  // From the sources, as in this repository's own tests, Node cannot run it by itself.
  const jiti = join(dirname(require.resolve('jiti/package.json')), 'lib', 'jiti-cli.mjs');
  const [program, rest] = module.endsWith('.ts') ? [jiti, [module, ...args]] : [module, args];
  // A separate process group: Ctrl-C in the terminal reaches us, and we ask the worker to end in order.
  const child = fork(program, rest, { env, cwd, stdio: ['ignore', 'pipe', 'pipe', 'ipc'], detached: true });
  endWithParent(child);
  return child;
}
