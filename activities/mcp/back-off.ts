/** Milliseconds that the next start waits after the first failure; each further one doubles them. */
const FIRST = 100;
const MOST = 5000;
/** A server that ran for at least this many milliseconds counts as having been healthy. */
const HEALTHY = 60_000;

/** How long the next start of a server that keeps failing has to wait. Times are milliseconds of one clock. */
export class BackOff {
  #failures = 0;
  #notBefore = 0;

  /** Its start failed at `now`, or it ended by itself after `lifetime` milliseconds. */
  failed(now: number, lifetime: number): void {
    this.#failures = lifetime >= HEALTHY ? 1 : this.#failures + 1;
    this.#notBefore = now + Math.min(FIRST * 2 ** (this.#failures - 1), MOST);
  }

  /** Milliseconds from `now` until it may be started. */
  wait(now: number): number {
    return Math.max(0, this.#notBefore - now);
  }
}
