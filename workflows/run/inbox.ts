/**
 * Commands that came before the run could settle them, in the order in which they came. They are settled in the activation
 * that makes it possible, before anything else happens.
 */
export class Inbox {
  readonly #waiting: (() => void)[] = [];

  /** What `settle` gives, or throws, once the inbox is drained. */
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
