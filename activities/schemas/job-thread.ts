import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { messageOf } from '../../agent/errors/error';
import type { JsonSchema } from '../../agent/protocol/manifest';
import type { Json } from '../../agent/values/json';
import type { JobName } from './jobs';

/** A job as it is sent to the thread. */
export interface ThreadJob {
  name: JobName;
  schema: JsonSchema;
  value: Json;
}

export type ThreadSays =
  | { says: 'ready' }
  /** The schema is compiled, the value comes next. */
  | { says: 'compiled' }
  /** `same`: the value of the result is identical to the given one. */
  | { says: 'done'; result: unknown; same: boolean };

/** The result, or why there is none: `it takes …`. */
export type ThreadOutcome = { done: true; result: unknown } | { done: false; problem: string };

/** Milliseconds: for starting the thread, and of computing for compiling a schema and for the work with it. */
const MAX_TIME = { start: 30_000, compile: 2000, work: 1000 } as const;
/** A thread that computes less than its time, on a machine that is busy with other things, ends after so many times of it. */
const MOST_WAITING = 10;
/** Megabytes. The worst schemas within limits take about 50. */
const MEMORY = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 } as const;

let thread: Worker | undefined;
/** One job after another. */
let queue: Promise<unknown> = Promise.resolve();

/**
 * Does a job in a separate thread, which ends if it takes too long; the next job gets a new one. There is one thread
 * per process: it starts with its first job, and keeps no process alive.
 */
export function inThread(job: ThreadJob): Promise<ThreadOutcome> {
  const outcome = queue.then(() => attempt(job, thread !== undefined));
  queue = outcome.catch(() => undefined);
  return outcome;
}

/** Ends the thread after the jobs that it was given. A later job starts another. */
export function closeThread(): Promise<void> {
  const closed = queue.then(end);
  queue = closed;
  return closed;
}

/** @param again earlier jobs may have filled the memory of the thread: a new one may have room */
async function attempt(job: ThreadJob, again: boolean): Promise<ThreadOutcome> {
  try {
    thread ??= await started();
  } catch (error) {
    return { done: false, problem: `the thread for it does not start: ${messageOf(error)}` };
  }
  const running = thread;
  running.ref();
  const outcome = await outcomeOf(running, job);
  running.unref();
  if (outcome.type === 'done') return { done: true, result: outcome.result };
  await end();
  if (outcome.type === 'late') return { done: false, problem: outcome.problem };
  return again ? attempt(job, false) : { done: false, problem: outcome.problem };
}

type Outcome = { type: 'done'; result: unknown } | { type: 'late' | 'died'; problem: string };

function outcomeOf(running: Worker, job: ThreadJob): Promise<Outcome> {
  return new Promise((resolve) => {
    const limit = (ms: number, problem: string) => whenComputed(ms, () => settle({ type: 'late', problem }));
    let stop = limit(MAX_TIME.compile, `the schema takes more than ${MAX_TIME.compile / 1000} s to compile`);
    const settle = (outcome: Outcome) => {
      stop();
      running.off('message', told).off('error', died).off('exit', died);
      resolve(outcome);
    };
    const died = (error: unknown) => settle({ type: 'died', problem: deathOf(error) });
    const told = (said: ThreadSays) => {
      if (said.says === 'compiled') {
        stop();
        stop = limit(MAX_TIME.work, `it takes more than ${MAX_TIME.work / 1000} s`);
      } else if (said.says === 'done') {
        const { result, same } = said;
        settle({ type: 'done', result: same ? { ...(result as object), value: job.value } : result });
      }
    };
    running.on('message', told).on('error', died).on('exit', died);
    try {
      running.postMessage(job);
    } catch (error) {
      settle({ type: 'late', problem: `it cannot be handed to the thread for it: ${messageOf(error)}` });
    }
  });
}

/**
 * Calls `late` when this process has computed for `ms`, but not before `ms` are over. That is the most which one of its
 * threads can have computed: Node 20 does not tell the time of a single thread.
 * @returns stops it
 */
function whenComputed(ms: number, late: () => void): () => void {
  const begin = performance.now();
  const used = process.cpuUsage();
  const left = () => {
    const { user, system } = process.cpuUsage(used);
    return performance.now() - begin < ms * MOST_WAITING ? ms - (user + system) / 1000 : 0;
  };
  const check = () => {
    if (left() > 0) timer = setTimeout(check, Math.max(left(), 20));
    else late();
  };
  let timer = setTimeout(check, ms);
  return () => clearTimeout(timer);
}

/** @param error what the thread did not catch, or its exit code */
function deathOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') return `it takes more than ${MEMORY.maxOldGenerationSizeMb} MB of memory`;
  return `the thread for it ended: ${message ?? error}`;
}

async function end(): Promise<void> {
  const ending = thread;
  thread = undefined;
  await ending?.terminate();
}

async function started(): Promise<Worker> {
  const main = require.resolve('./thread-main');
  const options = { execArgv: [], resourceLimits: MEMORY };
  // A thread does not inherit what loads TypeScript in the process that starts it, as in tests.
  const starting = main.endsWith('.js')
    ? new Worker(main, options)
    : new Worker(FROM_SOURCES, { ...options, eval: true, workerData: { jiti: require.resolve('jiti'), main } });
  const signal = AbortSignal.timeout(MAX_TIME.start);
  const ended = once(starting, 'exit', { signal }).then(([code]) => {
    throw new Error(`it ended with code ${code}`);
  });
  try {
    await Promise.race([once(starting, 'message', { signal }), ended]);
  } catch (error) {
    await starting.terminate();
    throw error;
  }
  // Without a listener, an error between two jobs would end the process.
  starting.on('error', () => undefined);
  starting.on('exit', () => {
    if (thread === starting) thread = undefined;
  });
  starting.unref();
  return starting;
}

const FROM_SOURCES = `
  const { jiti, main } = require('node:worker_threads').workerData;
  require(jiti).createJiti(main)(main);
`;
