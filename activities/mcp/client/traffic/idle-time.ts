/** The milliseconds in which a connection had nothing to read: all that its server had sent was processed. */
export class IdleTime {
  #readers = 0;
  #total = 0;
  #since = performance.now();

  get ms(): number {
    return this.#readers === 0 ? this.#total + performance.now() - this.#since : this.#total;
  }

  /** Something has arrived and is read now. A connection may read several streams at once. */
  begin(): void {
    this.#total = this.ms;
    this.#readers++;
  }

  /** What a `begin()` announced is processed. */
  end(): void {
    this.#readers--;
    this.#since = performance.now();
  }
}
