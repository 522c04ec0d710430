/**
 * Commands that arrived before the run could settle them, in the order of their arrival. They are settled in the
 * activation that makes it possible, before anything else happens.
 */
export class Inbox {
  readonly #waiting: (() => void)[] = [];

  /** Returns what `settle` returns, or throws, when the inbox is drained. */
  later<Verdict>(settle: () => Verdict | Promise<Verdict>): Promise<Verdict> {
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => {
        try {
          resolve(settle());
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  drain(): void {
    for (const settle of this.#waiting.splice(0)) settle();
  }
}
