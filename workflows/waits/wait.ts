import { CancellationScope, condition, sleep } from '@temporalio/workflow';
import { shorten } from '../../agent/values/shorten';
import type { Run } from '../run/run';
import { fence, publish } from '../view/visibility';

/** When a wait ends by itself. */
export interface Expiry {
  /** Milliseconds from now. */
  ms: number;
  /** What the Web UI shows beside the timer. */
  summary: string;
}

/**
 * Waits until `done`, which only a message to the run or the end of another wait makes true. False: the time was over
 * first. A wait fences itself, so that on a replay every message finds the run in the same state as before. A replay
 * runs a workflow task that left no command together with the next one, whose updates and signals come first there.
 * - The timer is a command, and so is its cancellation when the wait is over in time.
 * - Without a timer a marker is left when the wait opens and when it closes.
 * - After a timer that fired, or after a cancellation, a marker is left: what follows may leave no command.
 */
export async function wait(run: Run, done: () => boolean, expiry?: Expiry): Promise<boolean> {
  if (done()) return true;
  if (expiry === undefined) {
    fence(run);
    try {
      await condition(done);
      return true;
    } finally {
      fence(run);
    }
  }
  publish(run);
  let inTime = false;
  try {
    const { ms, summary } = expiry;
    inTime = await condition(done, Math.max(1, ms), { summary: shorten(summary, 100) });
    return inTime;
  } finally {
    if (inTime) publish(run);
    else fence(run);
  }
}

/**
 * Runs work beside the loop, such as the check of a command. At its end a marker is left, so that what comes next finds
 * it ended on a replay as well. Work that throws must leave a command itself.
 */
export async function beside<T>(run: Run, work: () => Promise<T>): Promise<T> {
  const result = await work();
  fence(run);
  return result;
}

/**
 * Call it when a call has settled while others of its batch are open: on a replay a message must find it settled, too.
 */
export function settledBeside(run: Run): void {
  fence(run);
}

/**
 * Does work in a workflow task that a timer begins: all messages that came before it are taken by then. Work that
 * returns true has left a command; otherwise a marker is left.
 */
export async function afterTimer(run: Run, { ms, summary }: Expiry, work: () => boolean): Promise<boolean> {
  await sleep(ms, { summary });
  const left = work();
  if (!left) fence(run);
  return left;
}

/** Waits for another part of the run, which leaves a command in history when it makes `done` true. */
export async function follow(done: () => boolean): Promise<void> {
  if (!done()) await condition(done);
}

/** Like {@link wait}, but not ended by a cancellation. */
export async function waitOut(run: Run, done: () => boolean): Promise<void> {
  if (!done()) await CancellationScope.nonCancellable(() => wait(run, done));
}
