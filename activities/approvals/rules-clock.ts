/** Milliseconds that the rules of all calls of an answer have together: the run waits for them. */
const TIME = 1000;

/** Limits how long user functions are waited for. */
export class RulesClock {
  readonly #clock = new AbortController();
  readonly #deadline = Date.now() + TIME;
  readonly #timer = setTimeout(() => this.#clock.abort(late()), TIME);
  readonly #signal: AbortSignal;

  constructor(cancelled: AbortSignal) {
    this.#signal = AbortSignal.any([cancelled, this.#clock.signal]);
  }

  /**
   * The result of `work`, if it comes in time.
   * @throws Error if time runs out or the activity is cancelled; the signal passed to `work` then aborts
   */
  async race<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.#check();
    const value = await Promise.race([work(this.#signal), this.#aborted()]);
    // A function that never yields the thread also delays the timer.
    this.#check();
    return value;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #check(): void {
    this.#signal.throwIfAborted();
    if (Date.now() >= this.#deadline) throw late();
  }

  #aborted(): Promise<never> {
    return new Promise((_, reject) => {
      this.#signal.addEventListener('abort', () => reject(this.#signal.reason), { once: true });
    });
  }
}

function late(): Error {
  return new Error(`it did not end within ${TIME} ms`);
}
