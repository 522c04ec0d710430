/** A budget of so many at once, refilled each second. */
export class Allowance {
  #left: number;
  #last = performance.now();

  constructor(
    readonly atOnce: number,
    private readonly aSecond: number,
  ) {
    this.#left = atOnce;
  }

  /** Takes one and returns what is left; below zero it was one too many. */
  take(): number {
    const now = performance.now();
    this.#left = Math.min(this.atOnce, this.#left + ((now - this.#last) * this.aSecond) / 1000) - 1;
    this.#last = now;
    return this.#left;
  }
}
