import { ApiError, isPassing } from '../../api/api-error';
import { randomId } from '../../api/random-id';
import { steer, type When } from '../../api/runs';
import { type Kept, kept } from './kept';

/** A message to an agent that works. */
export interface SteerMessage {
  id: string;
  text: string;
  when: When;
  /** The server has not said that it has the message. */
  unsent?: boolean;
}

/**
 * What a person has said into the exchange in progress, until the model has read it: the run names a message only then. It
 * outlives a reload of the tab. What the server has not confirmed is sent again under its id, which the run takes once.
 */
export class Steers {
  readonly #kept: Kept<readonly SteerMessage[]>;
  #all: readonly SteerMessage[];

  constructor(
    private readonly run: string,
    private readonly onChange: (all: readonly SteerMessage[]) => void,
  ) {
    this.#kept = kept(`steers ${run}`);
    this.#all = this.#kept.get() ?? [];
  }

  get all(): readonly SteerMessage[] {
    return this.#all;
  }

  /** @throws ApiError where the server refuses it, and what {@link isPassing} tells where it is to be sent again */
  async send(text: string, when: When): Promise<void> {
    const message: SteerMessage = { id: `web-${randomId()}`, text, when, unsent: true };
    this.#set([...this.#all, message]);
    await this.#send(message);
  }

  /** Sends what is not confirmed. `onRefused` gets the texts that the server refuses, one below the other. */
  async sendAgain(onRefused: (text: string, why: string) => void): Promise<void> {
    const refused: string[] = [];
    for (const message of this.#all.filter(({ unsent }) => unsent)) {
      try {
        await this.#send(message);
      } catch (error) {
        if (!(error instanceof ApiError) || isPassing(error)) throw error;
        refused.push(message.text);
        onRefused(refused.join('\n'), error.message);
      }
    }
  }

  /** The message is shown elsewhere, or is not to be sent. */
  drop(id: string): void {
    this.#set(this.#all.filter((one) => one.id !== id));
  }

  /** The exchange has ended: what it had is read. */
  dropSent(): void {
    this.#set(this.#all.filter(({ unsent }) => unsent));
  }

  async #send({ id, text, when }: SteerMessage): Promise<void> {
    try {
      await steer(this.run, text, when, id);
    } catch (error) {
      if (!isPassing(error)) this.drop(id);
      throw error;
    }
    this.#set(this.#all.map((one) => (one.id === id ? { id, text, when } : one)));
  }

  #set(all: readonly SteerMessage[]): void {
    this.#all = all;
    this.#kept.set(all.length === 0 ? undefined : all);
    this.onChange(all);
  }
}
