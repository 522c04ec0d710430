/** Measures how long models and tools work. Calls at the same time count once. */
export class WorkClock {
  #open = 0;
  #since = 0;

  /** A call is scheduled. The command keeps the time the same in a replay. */
  begin(): void {
    if (this.#open === 0) this.#since = Date.now();
    this.#open++;
  }

  /** A call has ended. Returns the milliseconds of work since the first of them began, once all have ended. */
  end(): number {
    this.#open--;
    return this.#open === 0 ? Date.now() - this.#since : 0;
  }
}
