/** Milliseconds that the next start waits after the first failure; each further one doubles them. */
const FIRST = 100;
const MOST = 5000;
/** Milliseconds after which a server that ends counts as having been healthy. */
const HEALTHY = 60_000;

/** How long a server that keeps failing has to wait for its next start. Times are milliseconds of one clock. */
export class BackOff {
  #failures = 0;
  #notBefore = 0;

  /** Its start failed at `now`, or it ended by itself after a life of `lifetime`. */
  failed(now: number, lifetime: number): void {
    this.#failures = lifetime >= HEALTHY ? 1 : this.#failures + 1;
    this.#notBefore = now + Math.min(FIRST * 2 ** (this.#failures - 1), MOST);
  }

  /** Milliseconds from `now` until it may be started. */
  wait(now: number): number {
    return Math.max(0, this.#notBefore - now);
  }
}
