/** A budget of so many at once, refilled each second. */
export class Allowance {
  #left: number;
  #last: number;

  constructor(
    readonly atOnce: number,
    private readonly aSecond: number,
    /** The milliseconds that refill it. */
    private readonly clock: () => number = () => performance.now(),
  ) {
    this.#last = clock();
    this.#left = atOnce;
  }

  /** Takes one and returns what is left; below zero it was one too many. */
  take(): number {
    const now = this.clock();
    this.#left = Math.min(this.atOnce, this.#left + ((now - this.#last) * this.aSecond) / 1000) - 1;
    this.#last = now;
    return this.#left;
  }
}
