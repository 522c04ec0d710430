import type { Worker } from '@temporalio/worker';
import type { Log } from '../agent/define/context';
import { messageOf } from '../agent/errors/error';

/** Milliseconds between two looks at the state of a worker. */
const LOOK = 100;

interface EndOptions {
  /** Milliseconds from the end of its polling that are waited for calls in flight. */
  limit: number;
  log: Log;
}

/**
 * Runs a worker until it has ended, or until `limit` after it was told to. Not by Temporal's `shutdownForceTime`: past it the
 * SDK fails with "Worker still in use", and it counts the time in which a tool holds up the event loop, so that a result
 * would be lost that is there.
 * @returns `leftover` where calls were still in progress; it resolves when they have ended
 */
export async function runUntilEnded(worker: Worker, { limit, log }: EndOptions): Promise<{ leftover?: Promise<void> }> {
  const running = worker.run();
  let looks = 0;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    // A look that a blocked event loop holds up counts once.
    timer = setInterval(() => {
      if (worker.getState() !== 'RUNNING' && ++looks * LOOK >= limit) resolve('late');
    }, LOOK);
  });
  try {
    if ((await Promise.race([running, late])) !== 'late') return {};
  } catch (error) {
    throw STILL_IN_USE.test(messageOf(error)) ? new Error(FAILED) : error;
  } finally {
    clearInterval(timer);
  }
  const { numInFlightActivities: calls } = worker.getStatus();
  log.warn({ calls }, 'The worker ends while calls are still in progress. The server gives them to another worker.');
  // What is said of it now is of no consequence.
  return { leftover: running.catch((error) => log.debug({ problem: messageOf(error) }, 'A worker ended late.')) };
}

/** The SDK's error about itself takes the place of what has happened, where calls are in progress. */
const STILL_IN_USE = /still in use/;
const FAILED = "The worker failed with calls in progress; the log says why under 'Worker failed'.";
