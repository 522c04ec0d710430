/** What must be closed, in the reverse order of its opening. */
export class Ends {
  readonly #ends: (() => unknown)[] = [];

  add(end: (() => unknown) | undefined): void {
    if (end !== undefined) this.#ends.push(end);
  }

  /** Closes all of it, once. What one throws is thrown after the others are closed. */
  async close(): Promise<void> {
    const failures: unknown[] = [];
    for (const end of this.#ends.splice(0).reverse()) {
      try {
        await end();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
