import type { Client } from '@temporalio/client';
import { HoldfastError } from '../../../agent/errors/error';
import { refusal, tell } from '../../../client/requests/tell';
import { type Random, randomFrom } from './random';

/** Something that a person, or a service, told a run, and what the run said to it. */
export interface Deed {
  /** The name of the update or the signal. */
  what: string;
  via: 'update' | 'signal';
  payload: { [field: string]: unknown };
  /** The message, the question or the call that it is about. */
  about: string;
  /** It is no message of a form that a run knows. */
  malformed?: true;
  /** What an update was answered; of a signal nothing but that it was sent. */
  taken?: unknown;
  refused?: string;
}

/** Milliseconds that an update waits for a worker. */
const WORKER_TIMEOUT = 180_000;

/** Tells one run things at random, and keeps what became of them. */
export class Teller {
  readonly deeds: Deed[] = [];
  readonly random: Random;
  readonly #under: Promise<void>[] = [];

  constructor(
    private readonly client: Client,
    readonly id: string,
    seed: number,
  ) {
    this.random = randomFrom(seed);
  }

  /** Does something while others go on. */
  later(act: () => Promise<void>): void {
    const under = act();
    // Awaited in the end; until then nobody looks at it.
    under.catch(() => undefined);
    this.#under.push(under);
  }

  /** Until all that was begun has been told. */
  async done(): Promise<void> {
    // What is under way may begin something more.
    for (let i = 0; i < this.#under.length; i++) await this.#under[i];
  }

  /** Signals more often: an update leaves marks of its own. */
  via(): Deed['via'] {
    return this.random.next() < 0.6 ? 'signal' : 'update';
  }

  /** Either it is taken, or it is refused by name: all else is a mistake of ours. */
  async tell(via: Deed['via'], what: string, payload: Deed['payload'], about: string, malformed?: true): Promise<void> {
    const deed: Deed = { what, via, payload, about, ...(malformed ? { malformed } : {}) };
    this.deeds.push(deed);
    try {
      if (via === 'signal') await this.#signal(what, payload);
      const taken =
        via === 'update' && (await tell(this.client, this.id, what, { payload, workerTimeout: WORKER_TIMEOUT }));
      deed.taken = taken || true;
    } catch (error) {
      if (!(error instanceof HoldfastError)) throw error;
      deed.refused = error.type;
    }
  }

  async #signal(what: string, payload: Deed['payload']): Promise<void> {
    try {
      await this.client.workflow.getHandle(this.id).signal(what, payload);
    } catch (error) {
      throw await refusal(this.client, this.id, error);
    }
  }
}
