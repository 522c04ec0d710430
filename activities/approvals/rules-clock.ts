import { linkedAbort } from '../../runtime/abort/linked-abort';
import { untilAborted } from '../../runtime/abort/until-aborted';

/** Milliseconds that the rules of all calls of an answer have together: the run waits for them. */
const TIME = 1000;

/** Limits how long user functions are waited for. */
export class RulesClock {
  readonly #deadline = Date.now() + TIME;
  readonly #timer = setTimeout(() => this.#link.abort(late()), TIME);
  readonly #link;

  constructor(cancelled: AbortSignal) {
    this.#link = linkedAbort(cancelled);
  }

  /**
   * The result of `work`, if it comes in time.
   * @throws Error if time runs out or the activity is cancelled; the signal passed to `work` then aborts
   */
  async race<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { signal } = this.#link;
    this.#check();
    const value = await untilAborted(work(signal), signal);
    // A function that never yields the thread also delays the timer.
    this.#check();
    return value;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#link.unlink();
  }

  #check(): void {
    this.#link.signal.throwIfAborted();
    if (Date.now() >= this.#deadline) throw late();
  }
}

function late(): Error {
  return new Error(`it did not end within ${TIME} ms`);
}
