/** Milliseconds for a stream to close what is behind it. */
const TIME_TO_CLOSE = 100;

/**
 * Ends the request and the stream of one call. The stream is cancelled before the request is aborted: a package that reads
 * the body by itself, as that of Ollama does, gets the error of an aborted body where it waits for nothing, and Node ends
 * the process for it.
 */
export class StreamEnd {
  readonly #request = new AbortController();
  #cancel: (() => Promise<void>) | undefined;

  /** Ends the request. */
  get signal(): AbortSignal {
    return this.#request.signal;
  }

  /** From now on there is a stream. */
  opened(cancel: () => Promise<void>): void {
    this.#cancel = cancel;
  }

  /** Ends both. */
  end(reason?: unknown): void {
    const abort = () => {
      clearTimeout(timer);
      this.#request.abort(reason);
    };
    const timer = setTimeout(abort, TIME_TO_CLOSE).unref();
    if (this.#cancel === undefined) abort();
    // A failure to cancel tells nothing: what the stream threw is known.
    else this.#cancel().then(abort, abort);
  }
}
