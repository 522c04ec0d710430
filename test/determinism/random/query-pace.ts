/** Milliseconds between two queries of all runs together. The proof requires one in 50 at least. */
const PACE = 40;

/**
 * Queries the runs in turn, one every 40 ms, however long the answers take. It leaves out queries while `maxOpen`
 * answers are missing, which is as many as a slow machine can bear.
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

  /** A busy machine calls timers late: overdue queries are made now. */
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
