import type { Fact } from '../../../../agent/protocol/facts/fact';

/**
 * Which texts of the role `user` people have said during an exchange: the run itself also speaks to the model in that
 * role, when it asks for a conclusion or refuses an output. A turn begins with what people have said since the one
 * before it.
 */
export class Steers {
  /** Messages that were taken and that no turn has begun with. */
  #heard = 0;
  #isBeginning = false;

  received(fact: Extract<Fact, { type: 'message.received' }>): void {
    if (fact.steers !== undefined) this.#heard++;
  }

  /** A turn begins. */
  begin(): void {
    this.#isBeginning = this.#heard > 0;
  }

  /** What people said to a turn has been told of. */
  answered(): void {
    this.#isBeginning = false;
  }

  /** Pieces of the answer come after the messages that are still to be told of. */
  get areMissing(): boolean {
    return this.#isBeginning && this.#heard > 0;
  }

  /** Whether a person has said the next text. */
  take(): boolean {
    const isSaid = this.#isBeginning || this.#heard > 0;
    if (this.#heard > 0) this.#heard--;
    return isSaid;
  }
}
