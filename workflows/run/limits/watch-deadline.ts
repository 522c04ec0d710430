import { CancellationScope, isCancellation, sleep } from '@temporalio/workflow';
import { deadlineOf } from '../../state/selectors/budget';
import type { Run } from '../run';

/**
 * Runs the loop of an exchange, and interrupts what it does or waits for when a deadline of the budget passes: the loop
 * then concludes.
 */
export async function beforeDeadline(run: Run, loop: () => Promise<void>): Promise<void> {
  if (timeLeft(run) === undefined) return loop();
  const clock = new CancellationScope();
  const rung = clock.run(() => ring(run));
  try {
    await loop();
  } finally {
    clock.cancel();
    await rung;
  }
}

/** A raise moves the deadline. */
async function ring(run: Run): Promise<void> {
  try {
    for (let left = timeLeft(run); left !== undefined; left = timeLeft(run)) {
      await sleep(left, { summary: 'the deadline of the budget' });
      if (timeLeft(run) === undefined) run.breakOff({ why: 'deadline' });
    }
  } catch (error) {
    if (!isCancellation(error)) throw error;
  }
}

/** Milliseconds until the next deadline; `undefined` where there is none that is still ahead. */
function timeLeft({ state }: Run): number | undefined {
  const deadline = deadlineOf(state);
  const left = deadline === undefined ? 0 : deadline - Date.now();
  return left > 0 ? left : undefined;
}
