/** Milliseconds that the messages of one server may hold the event loop at a time. */
const SHARE = 10;
/**
 * Milliseconds that the others then have: a server that sends without end takes a third of the worker, not all of it.
 */
const REST = 20;
/** The same for a server that is read slowly. */
const LONG_REST = 100;

/**
 * Processes messages in order, and lets other work have its turn in between: a pipe delivers two megabytes at a
 * time, which may be ten thousand messages.
 */
export class Turns<T> {
  #queue: T[] = [];
  #next = 0;
  #turn: NodeJS.Timeout | undefined;
  readonly #whenDone: (() => void)[] = [];

  /**
   * @param work is called with each
   * @param waits is called with true when some have to wait, and with false when none do
   * @param isSlow whether only little is to be done at a time
   */
  constructor(
    private readonly work: (item: T) => void,
    private readonly waits: (some: boolean) => void,
    private readonly isSlow: () => boolean = () => false,
  ) {}

  add(items: readonly T[]): void {
    for (const item of items) this.#queue.push(item);
    if (this.#turn === undefined) this.#go();
  }

  /** Resolves when nothing is waiting. */
  async done(): Promise<void> {
    if (this.#turn !== undefined) await new Promise<void>((resolve) => this.#whenDone.push(resolve));
  }

  /** Discards what still waits. */
  drop(): void {
    this.#queue = [];
    this.#next = 0;
  }

  #go(): void {
    const waited = this.#turn !== undefined;
    this.#turn = undefined;
    if (this.#do(performance.now() + SHARE)) {
      if (waited) this.waits(false);
      for (const resolve of this.#whenDone.splice(0)) resolve();
      return;
    }
    if (!waited) this.waits(true);
    this.#turn = setTimeout(() => this.#go(), this.isSlow() ? LONG_REST : REST);
  }

  /** Whether all is done. */
  #do(until: number): boolean {
    while (this.#next < this.#queue.length) {
      this.work(this.#queue[this.#next++] as T);
      if (this.#next < this.#queue.length && performance.now() >= until) return false;
    }
    this.#queue = [];
    this.#next = 0;
    return true;
  }
}
