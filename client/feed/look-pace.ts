import { setTimeout as delay } from 'node:timers/promises';

/** Looks at runs that one process may take in a second: a thousand watched runs must not load the server. */
const PER_SECOND = 100;

/** Spaces calls out over time, in the order in which they ask. */
export class LookPace {
  #next = 0;

  constructor(private readonly perSecond = PER_SECOND) {}

  /** Resolves when the next call may be made. */
  async turn(signal: AbortSignal): Promise<void> {
    const now = performance.now();
    const at = Math.max(now, this.#next);
    this.#next = at + 1000 / this.perSecond;
    if (at > now) await delay(at - now, undefined, { signal });
  }
}

/** Of all runs that this process watches. */
export const LOOKS = new LookPace();
