/**
 * Milliseconds that a source has to end after the abort. A good one takes a few; one that reads the body of an error may
 * still say which error it is.
 */
const TO_END = 1000;

/**
 * What a source yields, until it ends, or shortly after the signal has aborted: a source may ignore the signal, or
 * listen for it when it has already fired. Then it is left behind, and nothing waits for it.
 */
export class UntilAborted<T> implements AsyncIterableIterator<T> {
  readonly #source: AsyncIterator<T>;
  #timer: NodeJS.Timeout | undefined;
  #leave = () => {};

  constructor(
    source: AsyncIterable<T>,
    private readonly signal: AbortSignal,
  ) {
    this.#source = source[Symbol.asyncIterator]();
    signal.addEventListener('abort', this.#aborted, { once: true });
    if (signal.aborted) this.#aborted();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<T>> {
    return new Promise((resolve, reject) => {
      this.#leave = () => {
        this.#over();
        resolve({ done: true, value: undefined });
      };
      this.#source.next().then(
        (result) => {
          if (result.done) this.#over();
          resolve(result);
        },
        (error) => {
          this.#over();
          reject(error);
        },
      );
    });
  }

  return(): Promise<IteratorResult<T>> {
    this.#over();
    // Its clean-up changes nothing about what it has yielded, and may take as long as it likes.
    this.#source.return?.().catch(() => undefined);
    return Promise.resolve({ done: true, value: undefined });
  }

  readonly #aborted = () => {
    this.#timer = setTimeout(() => this.#leave(), TO_END);
  };

  #over(): void {
    clearTimeout(this.#timer);
    this.signal.removeEventListener('abort', this.#aborted);
  }
}
