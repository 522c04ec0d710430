import { setImmediate } from 'node:timers/promises';

/** Milliseconds of work after which other work has its turn: heartbeats, and the answers of other runs. */
const TURN = 20;

/** Keeps long work from blocking the event loop, without a turn of the loop for each small piece. */
export class Turns {
  private worked = 0;

  /** Reports work since `began`, by `performance.now()`; waits for a turn if there was much. */
  async take(began: number): Promise<void> {
    this.worked += performance.now() - began;
    if (this.worked < TURN) return;
    await setImmediate();
    this.worked = 0;
  }
}
