import { parseArgs } from 'node:util';
import { HoldfastError, messageOf } from '../agent/errors/error';
import { defined } from '../agent/values/defined';
import type { JsonObject } from '../agent/values/json';
import { loadConfig } from '../runtime/config/config';
import { createLog } from '../runtime/log';
import { give, warn } from '../runtime/print';
import { isMain } from '../runtime/process/is-main';
import { installTemporalRuntime } from '../runtime/temporal/log';
import { createWorker } from './create-worker';

/** Messages from a worker process to its parent process; without one they are printed as a line of JSON. */
export type WorkerMessage =
  | { type: 'ready'; pid: number; taskQueue: string; agents: string[] }
  | { type: 'failed'; error: JsonObject };

/**
 * Runs a worker until SIGTERM or SIGINT, then gives its activities the grace time. Returns the exit code, which
 * `exitCodeOf` makes of the error if it could not start or run, with one line on standard error. `tell` is called once it
 * works.
 */
export async function workerProcess(
  configPath?: string,
  tell: (message: WorkerMessage) => void = report,
  exitCodeOf: (error: unknown) => number = () => 1,
): Promise<number> {
  // Before the first await: a signal during the start must not be lost.
  let stop = (): void => process.exit(0);
  const asked = () => stop();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, asked);
  // A parent that is gone cannot send a signal.
  process.once('disconnect', asked);
  const log = createLog();
  // It belongs to one call, for example in a user's tool, but Node would end the process with all other calls.
  process.on('unhandledRejection', (reason) => {
    const error = reason instanceof Error ? (reason.stack ?? reason.message) : String(reason);
    log.error({ error }, 'A promise was rejected without a handler. The worker continues.');
  });
  try {
    installTemporalRuntime({ log, shutdownSignals: [] });
    const config = await loadConfig(defined({ path: configPath }));
    const worker = await createWorker({ config });
    stop = once(() => worker.shutdown());
    const running = worker.run();
    tell({ type: 'ready', pid: process.pid, taskQueue: worker.taskQueue, agents: [...worker.agents] });
    await running;
    return 0;
  } catch (error) {
    const known = error instanceof HoldfastError ? error.toJSON() : { type: 'WorkerFailed', message: messageOf(error) };
    warn(String(known.message));
    if (process.env.HOLDFAST_DEBUG !== undefined && error instanceof Error) warn(...String(error.stack).split('\n'));
    if (process.send !== undefined) await new Promise((sent) => process.send?.({ type: 'failed', error: known }, sent));
    return exitCodeOf(error);
  }
}

function report(message: WorkerMessage): void {
  if (process.send !== undefined) process.send(message);
  else give(`${JSON.stringify(message)}\n`, 'json');
}

/** Temporal's worker cannot be shut down twice. */
function once(act: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    act();
  };
}

if (isMain(module)) {
  const { values } = parseArgs({ options: { config: { type: 'string' } } });
  void workerProcess(values.config).then((code) => process.exit(code));
}
