import { setImmediate } from 'node:timers/promises';

/** Milliseconds of work after which others have their turn: heartbeats, and the answers of other runs. */
const TURN = 20;

/** Keeps long work from blocking the event loop: what is at hand is read on without a turn of the loop. */
export class Turns {
  private worked = 0;

  /** Tells of work since `began`, by `performance.now()`; waits for a turn where there was much. */
  async take(began: number): Promise<void> {
    this.worked += performance.now() - began;
    if (this.worked < TURN) return;
    await setImmediate();
    this.worked = 0;
  }
}
