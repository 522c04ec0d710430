/** Milliseconds that the messages of one server may hold the event loop at a time. */
const SHARE = 20;

/**
 * Works through messages in their order, and lets others have their turn in between: a pipe hands over two megabytes at a
 * time, which may be ten thousand messages.
 */
export class Turns<T> {
  #queue: T[] = [];
  #next = 0;
  #turn: NodeJS.Immediate | undefined;

  /** @param work what is done with each @param waits is told when some have to wait, and when none does any more */
  constructor(
    private readonly work: (item: T) => void,
    private readonly waits: (some: boolean) => void,
  ) {}

  add(items: readonly T[]): void {
    for (const item of items) this.#queue.push(item);
    if (this.#turn === undefined) this.#go();
  }

  /** Does at once what still waits. */
  finish(): void {
    clearImmediate(this.#turn);
    this.#turn = undefined;
    this.#do(Number.POSITIVE_INFINITY);
  }

  #go(): void {
    const waited = this.#turn !== undefined;
    this.#turn = undefined;
    if (this.#do(performance.now() + SHARE)) {
      if (waited) this.waits(false);
      return;
    }
    if (!waited) this.waits(true);
    this.#turn = setImmediate(() => this.#go());
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
