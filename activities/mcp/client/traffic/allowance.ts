/** So many at once, and each second some more. */
export class Allowance {
  #left: number;
  #last = performance.now();

  constructor(
    readonly atOnce: number,
    private readonly aSecond: number,
  ) {
    this.#left = atOnce;
  }

  /** What is left after one more; below zero it was one too many. */
  take(): number {
    const now = performance.now();
    this.#left = Math.min(this.atOnce, this.#left + ((now - this.#last) * this.aSecond) / 1000) - 1;
    this.#last = now;
    return this.#left;
  }
}
