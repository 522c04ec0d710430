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

  /**
   * Takes one and returns what is left; below zero it was one too many.
   * @param refills whether the time since the last one refills the budget
   */
  take(refills = true): number {
    const now = performance.now();
    const refill = refills ? ((now - this.#last) * this.aSecond) / 1000 : 0;
    this.#left = Math.min(this.atOnce, this.#left + refill) - 1;
    this.#last = now;
    return this.#left;
  }
}
