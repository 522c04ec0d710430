/** Seconds after which a request is worth another try that failed because something is away. */
const SOONEST = 2;
/** Requests that may come back in one second: as many as the gateway asks the Temporal server about at the same time. */
const A_SECOND = 50;
/** Milliseconds in which refusals count as one crowd. */
const CROWD = 10_000;

/** When refused requests are to come again. Those of one moment would come back in one moment, and be refused again: many are spread. */
export class RetryAfter {
  #count = 0;
  #since = Number.NEGATIVE_INFINITY;

  /** The header of the next refusal, in seconds. */
  next(now = performance.now(), random = Math.random()): string {
    if (now - this.#since > CROWD) {
      this.#count = 0;
      this.#since = now;
    }
    return String(SOONEST + Math.floor((random * this.#count++) / A_SECOND));
  }
}
