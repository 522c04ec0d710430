import type { Worker } from '@temporalio/worker';
import type { Log } from '../agent/define/context';
import { messageOf } from '../agent/errors/error';

/** Milliseconds between two checks of a worker's state. */
const LOOK = 100;

interface EndOptions {
  /** Milliseconds to wait for calls in progress after it stops polling. */
  limit: number;
  log: Log;
}

/**
 * Runs a worker until it has ended, or until `limit` after it was told to end. Not with Temporal's `shutdownForceTime`:
 * past that the SDK fails with "Worker still in use", and it counts the time in which a tool blocks the event loop, so
 * that an existing result would be lost.
 * @returns `leftover` if calls were still in progress; it resolves when they have ended
 */
export async function runUntilEnded(worker: Worker, { limit, log }: EndOptions): Promise<{ leftover?: Promise<void> }> {
  const running = worker.run();
  let looks = 0;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    // A check that a blocked event loop delays counts once.
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
  // Its errors no longer matter now.
  return { leftover: running.catch((error) => log.debug({ problem: messageOf(error) }, 'A worker ended late.')) };
}

/** The SDK's error about itself that hides the real one while calls are in progress. */
const STILL_IN_USE = /still in use/;
const FAILED = "The worker failed with calls in progress; the log says why under 'Worker failed'.";
