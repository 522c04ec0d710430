import type { ChildProcess } from 'node:child_process';
import { type ErrorType, HoldfastError } from '../../agent/errors/error';
import { defined } from '../../agent/values/defined';
import type { Environment } from '../../runtime/binaries/download';
import type { Config } from '../../runtime/config/config';
import { eachLine } from '../../runtime/process/child-process';
import { type Supervisor, supervise } from '../../runtime/process/supervise';
import type { WorkerMessage, WorkerReady } from '../worker-process';
import type { OpenedServer } from './open-server';
import { killIfSilent } from './silence';
import { watchFiles } from './watch-files';
import { begin, forkWorker, workerEnvironment } from './worker-child';

/** What happens to the worker of a tree. */
export type WorkerEvent =
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

/**
 * Start attempts of a worker that worked before and reports why it cannot start now: a file may just be being saved.
 */
const START_ATTEMPTS = 3;
/** Milliseconds beyond `config.worker.shutdownGrace` that a replaced worker gets to end. */
const LAST_REPORTS = 10_000;

export interface Workers extends Pick<Supervisor, 'done' | 'stop'> {
  /** Why no worker can start. */
  failure(): HoldfastError | undefined;
}

export interface KeepOptions {
  onEvent(event: WorkerEvent): void;
  configPath?: string;
  /** Another module in place of worker-process, for tests. */
  workerModule?: string;
  /** Replaces the worker when files change. Default false. */
  reload?: boolean;
  env: Environment;
  cwd: string;
  /** A worker that waits for its environment. */
  early: ChildProcess | undefined;
}

/** Keeps one worker running, and replaces it after changes. */
export function keepWorker(options: KeepOptions, opened: OpenedServer, config: Config): Workers {
  const { cwd, onEvent, configPath, workerModule, reload = false } = options;
  const env = workerEnvironment(options.env, opened);
  let { early } = options;
  let failure: HoldfastError | undefined;
  let worked = false;
  /** The files of the user that the last worker had read which told so. */
  let read: readonly string[] = config.agents;
  /** When each child started. */
  const starts = new WeakMap<ChildProcess, number>();
  /** Children that have a reason for their end. */
  const told = new WeakSet<ChildProcess>();
  const watchFilesOf = (child: ChildProcess, neighbours: boolean) => {
    const since = starts.get(child) ?? Date.now();
    watch?.watch(config.file === undefined ? read : [config.file, ...read], { since, neighbours });
  };
  const fail = (child: ChildProcess, error: HoldfastError, kept: number | undefined) => {
    told.add(child);
    failure = error;
    watchFilesOf(child, true);
    // The first failure ends everything, with this error.
    if (worked) onEvent({ type: 'worker.failed', problem: error.message, ...defined({ kept }) });
  };

  const workers = supervise({
    start(ready, replaces) {
      const since = Date.now();
      const child =
        early === undefined ? forkWorker({ env, cwd, configPath, replaces, workerModule }) : begin(early, env);
      early = undefined;
      starts.set(child, since);
      const hasStarted = killIfSilent(child, (seconds) => {
        const file = config.agents.join(', ');
        const problem = `the worker that loads it did not answer for ${seconds} s; does it loop at its top level?`;
        fail(child, new HoldfastError('ModuleNotLoaded', { file, problem }), replaces);
      });
      let works = false;
      child.on('message', (message: WorkerMessage) => {
        if (message.type === 'starting') return;
        read = message.files;
        hasStarted();
        if (message.type === 'failed') {
          const { type, message: text, data } = message.error;
          fail(child, HoldfastError.revive(type as ErrorType, String(text), data), works ? undefined : replaces);
          return;
        }
        const { files: _, ...about } = message;
        works = true;
        ready();
        failure = undefined;
        worked = true;
        watchFilesOf(child, false);
        onEvent({ ...about, ...defined({ replaces }), type: 'worker.ready' });
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
    onRefused(child, kept) {
      if (told.has(child)) return;
      watchFilesOf(child, true);
      const how = child.signalCode ?? `exit code ${child.exitCode}`;
      const problem = `Worker pid ${child.pid} ended before it was ready (${how})`;
      onEvent({ type: 'worker.failed', problem, ...defined({ kept }) });
    },
    replacedGrace: config.worker.shutdownGrace + LAST_REPORTS,
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

/** Replaces the worker. A change that comes while another one starts makes that one outdated. */
function replacing({ replace }: Supervisor): () => Promise<void> {
  let outdated: AbortController | undefined;
  let again = false;
  return async () => {
    again = true;
    outdated?.abort();
    if (outdated !== undefined) return;
    while (again) {
      again = false;
      outdated = new AbortController();
      await replace(outdated.signal);
    }
    outdated = undefined;
  };
}
