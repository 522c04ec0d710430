/** Milliseconds that the rules of all calls of an answer have together: the run waits for them. */
const TIME = 1000;

/** Ends the wait for functions of the user's. */
export class RulesClock {
  readonly #clock = new AbortController();
  readonly #deadline = Date.now() + TIME;
  readonly #timer = setTimeout(() => this.#clock.abort(late()), TIME);
  readonly #signal: AbortSignal;

  constructor(cancelled: AbortSignal) {
    this.#signal = AbortSignal.any([cancelled, this.#clock.signal]);
  }

  /**
   * What `work` gives before the time is over.
   * @throws Error where it is over, or the activity is cancelled; the signal of `work` then aborts
   */
  async race<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.#check();
    const value = await Promise.race([work(this.#signal), this.#aborted()]);
    // A function that never lets go of the thread holds up the timer as well.
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
