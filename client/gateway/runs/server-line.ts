import { HoldfastError } from '../../../agent/errors/error';

/**
 * Calls of the Temporal server that are made at the same time. Many more, when hundreds of readers come back in one moment,
 * would make each other too late.
 */
const AT_ONCE = 50;

interface Waiting {
  begin(): void;
  fail(error: unknown): void;
}

/**
 * Calls of the Temporal server wait for their turn, so that the time limit of each begins when it is made. If the server
 * answers none, those that wait end with the first one that it did not answer.
 */
export class ServerLine {
  #running = 0;
  readonly #waiting: Waiting[] = [];
  /** When the server has answered last. */
  #answered = Number.NEGATIVE_INFINITY;

  constructor(private readonly atOnce = AT_ONCE) {}

  /** @throws what `call` throws; HoldfastError `NoServer` of another call that the server has not answered */
  async call<T>(call: () => Promise<T>): Promise<T> {
    await this.#turn();
    const began = performance.now();
    try {
      const result = await call();
      this.#answered = performance.now();
      return result;
    } catch (error) {
      const isAway = error instanceof HoldfastError && error.type === 'NoServer';
      if (!isAway) this.#answered = performance.now();
      else if (this.#answered < began) for (const one of this.#waiting.splice(0)) one.fail(error);
      throw error;
    } finally {
      // The next one takes its place.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running--;
      else next.begin();
    }
  }

  async #turn(): Promise<void> {
    if (this.#running < this.atOnce) this.#running++;
    else await new Promise<void>((begin, fail) => this.#waiting.push({ begin, fail }));
  }
}
