import type { Client } from '@temporalio/client';
import { HoldfastError } from '../../../agent/errors/error';
import { refusal, tell } from '../../../client/requests/tell';
import { type Random, randomFrom } from './random';

/** Something that a person or a service sent to a run, and the response of the run. */
export interface Deed {
  /** The name of the update or the signal. */
  what: string;
  via: 'update' | 'signal';
  payload: { [field: string]: unknown };
  /** The message, the question or the call that it is about. */
  about: string;
  /** The payload does not have a form that a run knows. */
  malformed?: true;
  /** The response to an update. For a signal, only that it was sent. */
  taken?: unknown;
  refused?: string;
}

/** Milliseconds that an update waits for a worker. */
const WORKER_TIMEOUT = 180_000;

/** Sends things to one run, and keeps what became of them. */
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

  /** Starts an action while others go on. */
  later(act: () => Promise<void>): void {
    const under = act();
    // `done` awaits it. Until then a rejection must not count as unhandled.
    under.catch(() => undefined);
    this.#under.push(under);
  }

  /** Waits until all actions that were started have ended. */
  async done(): Promise<void> {
    // An action in progress may start another one.
    for (let i = 0; i < this.#under.length; i++) await this.#under[i];
  }

  /** Signals more often: an update leaves its own marks in the history. */
  via(): Deed['via'] {
    return this.random.next() < 0.6 ? 'signal' : 'update';
  }

  /** Either it is taken, or it is refused by name. Any other error is a bug. */
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
