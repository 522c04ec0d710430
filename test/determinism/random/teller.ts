import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
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

/** Milliseconds after which a command is repeated, at most. */
const LATER = 3000;
/** Milliseconds that an update waits for a worker. */
const WORKER_TIMEOUT = 180_000;

/** Sends things to one run, and keeps what became of them. */
export class Teller {
  readonly deeds: Deed[] = [];
  readonly random: Random;
  /** Commands that were answered otherwise when they were repeated. */
  readonly problems: string[] = [];
  readonly #repeats: boolean;
  readonly #under: Promise<void>[] = [];

  constructor(
    private readonly client: Client,
    readonly id: string,
    { seed, repeats = false }: { seed: number; repeats?: boolean },
  ) {
    this.#repeats = repeats;
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
    if (via === 'signal') return this.#told(deed, () => this.#signal(what, payload));
    const updateId = randomUUID();
    const send = () => tell(this.client, this.id, what, { payload, workerTimeout: WORKER_TIMEOUT, updateId });
    const wait = this.#repeats && this.random.below(3) === 0 ? this.random.below(LATER) : undefined;
    await this.#told(deed, send);
    if (wait !== undefined) this.later(() => this.#repeat(deed, wait, send));
  }

  async #told(deed: Deed, send: () => Promise<unknown>): Promise<void> {
    try {
      deed.taken = (await send()) || true;
    } catch (error) {
      if (!(error instanceof HoldfastError)) throw error;
      deed.refused = error.type;
    }
  }

  /** As a client does whose reply was lost, perhaps in a later history. */
  async #repeat(first: Deed, wait: number, send: () => Promise<unknown>): Promise<void> {
    await delay(wait);
    const { what, via, payload, about } = first;
    const again: Deed = { what, via, payload, about };
    await this.#told(again, send);
    // A refusal for a malformed command leaves nothing in history, and the end of the run comes first then.
    if (/^(RunEnded|AlreadyApplied|Cancelled)$/.test(again.refused ?? '') || first.malformed) return;
    const [before, now] = [first, again].map(({ taken, refused }) => JSON.stringify({ taken, refused }));
    if (before !== now) this.problems.push(`${what} ${about} was answered ${before}, and ${now} when it was repeated`);
  }

  async #signal(what: string, payload: Deed['payload']): Promise<void> {
    try {
      await this.client.workflow.getHandle(this.id).signal(what, payload);
    } catch (error) {
      throw await refusal(this.client, this.id, error);
    }
  }
}
