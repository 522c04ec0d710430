/** Milliseconds between two queries of all runs together. The proof asks for one in 50 at least. */
const PACE = 40;

/**
 * Has the runs that are read asked in turn, one every 40 ms, however long the answers take: as long as no more of them are
 * missing than a slow machine can bear.
 */
export class QueryPace {
  readonly #readers: (() => Promise<unknown>)[] = [];
  #due = 0;
  #open = 0;
  readonly #began = Date.now();
  readonly #timer = setInterval(() => this.#catchUp(), PACE);

  constructor(private readonly maxOpen: number) {}

  add(ask: () => Promise<unknown>): void {
    this.#readers.push(ask);
  }

  remove(ask: () => Promise<unknown>): void {
    this.#readers.splice(this.#readers.indexOf(ask), 1);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** A busy machine calls timers late: what was left out is asked now. */
  #catchUp(): void {
    const due = Math.floor((Date.now() - this.#began) / PACE);
    for (; this.#due < due; this.#due++) {
      const next = this.#open < this.maxOpen ? this.#readers.shift() : undefined;
      if (next === undefined) continue;
      this.#readers.push(next);
      this.#open++;
      next().finally(() => this.#open--);
    }
  }
}
