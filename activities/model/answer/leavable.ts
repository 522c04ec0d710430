/**
 * What a source yields, until it ends or is left. A source that has been told to stop may not listen, or listen too
 * late: leaving it waits for nothing, neither its next value nor its clean-up.
 */
export class Leavable<T> implements AsyncIterableIterator<T> {
  #source: AsyncIterator<T> | undefined;
  #isOver = false;
  #end = () => {};

  constructor(private readonly open: () => AsyncIterable<T>) {}

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<T>> {
    return new Promise((resolve, reject) => {
      this.#end = () => resolve({ done: true, value: undefined });
      if (this.#isOver) return this.#end();
      this.#source ??= this.open()[Symbol.asyncIterator]();
      Promise.resolve(this.#source.next()).then(resolve, reject);
    });
  }

  return(): Promise<IteratorResult<T>> {
    this.leave();
    return Promise.resolve({ done: true, value: undefined });
  }

  /** Ends the iteration at once. */
  leave(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#end();
    // What it has yielded stays as it is, whatever its clean-up throws.
    const cleaned = async () => this.#source?.return?.();
    cleaned().catch(() => undefined);
  }
}
