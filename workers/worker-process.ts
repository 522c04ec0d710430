import { once as happens } from 'node:events';
import { parseArgs } from 'node:util';
import { toJsonSchema } from '../agent/contracts/schema';
import type { Agent } from '../agent/define/agent-definition';
import { definitionAt } from '../agent/define/versions';
import { HoldfastError, messageOf } from '../agent/errors/error';
import { thrownText } from '../agent/errors/thrown-text';
import { defined } from '../agent/values/defined';
import type { JsonObject } from '../agent/values/json';
import { type MissingProgram, missingPrograms } from '../runtime/binaries/mcp-programs';
import { type Config, loadConfig } from '../runtime/config/config';
import { createLog } from '../runtime/log';
import { give, warn } from '../runtime/print';
import { isMain } from '../runtime/process/is-main';
import { installTemporalRuntime } from '../runtime/temporal/log';
import { createWorker } from './create-worker';
import { BEAT } from './dev/silence';
import { reportExitsTo } from './load/exits';
import { loadAgents } from './load/load-agents';
import { loadModels } from './load/load-models';
import { loadedFiles } from './load/load-module';

/** Messages from a worker process to its parent process; without one they are printed as a line of JSON. */
export type WorkerMessage =
  | WorkerReady
  | { type: 'failed'; error: JsonObject; files: string[] }
  /** It still starts: for a parent that asks for it. */
  | { type: 'starting' };

export interface WorkerReady {
  type: 'ready';
  pid: number;
  taskQueue: string;
  agents: ServedAgent[];
  /** MCP servers that its agents use and whose program is not here. */
  missingPrograms: MissingProgram[];
  /** The user's modules that it has loaded. */
  files: string[];
}

/** An agent of a worker, as far as a person needs to know it to start a run. */
export interface ServedAgent {
  name: string;
  mode: 'task' | 'conversation';
  /** JSON Schema of its input. Missing if it takes any input. */
  inputSchema?: JsonObject;
}

export interface WorkerProcessOptions {
  /** A temporal.yaml. */
  config?: string;
  /** The process id of a worker of this machine that ends when this one is ready. */
  replaces?: number;
  /** Waits for the server before the worker connects. */
  reach?: (config: Config) => Promise<void>;
}

/**
 * Runs a worker until SIGTERM or SIGINT, then gives its activities the grace time. Returns the exit code, which
 * `exitCodeOf` makes of the error if it could not start or run, with one line on standard error. `tell` is called once it
 * works.
 */
export async function workerProcess(
  { config: path, replaces, reach }: WorkerProcessOptions = {},
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
    const error = reason instanceof Error ? (reason.stack ?? reason.message) : thrownText(reason);
    log.error({ error }, 'A promise was rejected without a handler. The worker continues.');
  });
  // The channel takes a small message at once.
  const tellExit = (error: HoldfastError) => {
    process.send?.(failedBy(error.toJSON()));
    process.exitCode = exitCodeOf(error);
  };
  const release = process.send === undefined ? undefined : reportExitsTo(tellExit);
  try {
    installTemporalRuntime({ log, shutdownSignals: [] });
    const config = await loadConfig(defined({ path }));
    const agents = await loadAgents(config);
    const models = await loadModels(config);
    const worker = await createWorker({ config, agents, models }, defined({ replaces, reach }));
    stop = once(() => worker.shutdown());
    const running = worker.run();
    tell({
      type: 'ready',
      pid: process.pid,
      taskQueue: worker.taskQueue,
      agents: agents.map(served),
      missingPrograms: await missingPrograms(agents, config.mcp),
      files: loadedFiles(),
    });
    await running;
    return 0;
  } catch (error) {
    const known = error instanceof HoldfastError ? error.toJSON() : { type: 'WorkerFailed', message: messageOf(error) };
    // A parent process shows it.
    if (process.send === undefined) warn(String(known.message));
    if (process.env.HOLDFAST_DEBUG !== undefined && error instanceof Error) warn(...String(error.stack).split('\n'));
    if (process.send !== undefined) await new Promise((sent) => process.send?.(failedBy(known), sent));
    return exitCodeOf(error);
  } finally {
    release?.();
  }
}

function failedBy(error: JsonObject): WorkerMessage {
  return { type: 'failed', error, files: loadedFiles() };
}

function served({ name, definition }: Agent): ServedAgent {
  // The start that is shown asks for no version.
  const { mode = 'task', inputSchema } = definitionAt(definition);
  return { name, mode, ...(inputSchema === undefined ? {} : { inputSchema: toJsonSchema(inputSchema) }) };
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

/** Waits for the environment: a parent that starts a server knows its address later. */
async function takeEnvironment(): Promise<void> {
  const leave = () => process.exit(0);
  process.once('disconnect', leave);
  const [env] = (await happens(process, 'message')) as [NodeJS.ProcessEnv];
  process.off('disconnect', leave);
  for (const name of Object.keys(process.env)) if (!Object.hasOwn(env, name)) delete process.env[name];
  Object.assign(process.env, env);
}

async function main(): Promise<number> {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const { values } = parseArgs({ options: { config: text, replaces: text, waits: flag, beats: flag } });
  const { config, replaces, waits, beats } = values;
  if (waits) await takeEnvironment();
  const beating = beats ? setInterval(report, BEAT, { type: 'starting' } satisfies WorkerMessage) : undefined;
  const tell = (message: WorkerMessage) => {
    clearInterval(beating);
    report(message);
  };
  return workerProcess(defined({ config, replaces: replaces === undefined ? undefined : Number(replaces) }), tell);
}

if (isMain(module)) void main().then((code) => process.exit(code));
