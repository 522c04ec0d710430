import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { Log } from '../../../agent/define/context';
import { messageOf } from '../../../agent/errors/error';
import type { Want } from '../../../agent/leases/want';
import { LEASES, type LeaseGrant } from '../../../agent/protocol/entities/leases';

/** An answer. */
export interface TimedGrant extends LeaseGrant {
  /** Milliseconds for which the question and it were on their way. */
  onTheWay: number;
}

/** What asks for leases. */
interface Asked {
  readonly alias: string;
  /** Of the limits. */
  readonly name: string;
  readonly log: Log;
  /** It asks no more. */
  readonly isClosed: boolean;
  ask(client: Client, wants: Want[]): Promise<TimedGrant>;
  /** A call begins, of which the lease may have come late. */
  tellLate(client: Client, id: string, at: number): void;
  leave(client: Client, id: string): void;
}

/** What a call that waits needs. */
export interface Pending {
  want: Want;
  since: number;
  /** When it was first asked for without an answer, in milliseconds since 1970: it may have a lease since. */
  unsure?: number;
  enter(): void;
  refuse(error: Error): void;
}

/** Milliseconds by which a lease may come late. Those that it counts beyond a minute are more: {@link MINUTE}. */
const LATE = 1000;

const NOT_ANSWERED =
  'The leases of a model cannot be asked for: its calls wait, and ask again each second. If they go on waiting, look at the workflow.';

/** Milliseconds before the workflow is asked again after it could not be reached. */
const PAUSE = 1000;

/** The provider asked for a longer wait than is worth a place in line. */
export class ProviderAsksToWait extends Error {
  override readonly name = 'ProviderAsksToWait';

  /** @param wait milliseconds that are left of it */
  constructor(readonly wait: number) {
    super();
  }
}

/**
 * Calls that wait. One question is open at a time and asks for all of them, so that many calls cost little more than
 * one. People have a line of their own: they do not wait for the answer to a question about others.
 */
export class Line {
  readonly #pending = new Map<string, Pending>();
  /** Those for which the workflow was asked: it may know of them, also if it did not answer. */
  readonly #asked = new Set<string>();
  #asking = false;

  constructor(private readonly gate: Asked) {}

  get size(): number {
    return this.#pending.size;
  }

  join(client: Client, pending: Pending): void {
    this.#pending.set(pending.want.id, pending);
    void this.#ask(client);
  }

  leave(client: Client, id: string): void {
    this.#pending.delete(id);
    if (this.#asked.delete(id)) this.gate.leave(client, id);
  }

  async #ask(client: Client): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    let isTold = false;
    // What begins at the same moment is asked for together.
    await delay(0);
    while (this.#pending.size > 0 && !this.gate.isClosed) {
      const { alias, name, log } = this.gate;
      const now = Date.now();
      const wants = [...this.#pending.values()].map(({ want, since }) => ({ ...want, waited: now - since }));
      for (const { id } of wants) this.#asked.add(id);
      try {
        const { granted, at, onTheWay, blocked, again } = await this.gate.ask(client, wants);
        for (const id of granted) this.#grant(client, id, at, onTheWay);
        if (blocked !== undefined) this.#refuse(wants, blocked);
        isTold = false;
        if (again !== undefined) await delay(again);
      } catch (error) {
        const why = error instanceof Error && error.cause !== undefined ? error.cause : error;
        const about = { model: alias, workflow: LEASES.idOf(name), error: messageOf(why) };
        if (!isTold && !this.gate.isClosed) log.warn(about, NOT_ANSWERED);
        isTold = true;
        for (const { id } of wants) {
          const pending = this.#pending.get(id);
          if (pending !== undefined) pending.unsure ??= now;
        }
        await delay(PAUSE);
      }
    }
    this.#asking = false;
  }

  /** Has calls come back when the provider allows it, or move on to another model. */
  #refuse(wants: readonly Want[], wait: number): void {
    for (const { id, despiteBlock } of wants) {
      if (despiteBlock) continue;
      this.#pending.get(id)?.refuse(new ProviderAsksToWait(wait));
      this.#pending.delete(id);
      this.#asked.delete(id);
    }
  }

  #grant(client: Client, id: string, at: number | undefined, onTheWay: number): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    this.#asked.delete(id);
    // Its call was cancelled meanwhile.
    if (pending === undefined) {
      this.gate.leave(client, id);
      return;
    }
    const { unsure } = pending;
    const late = unsure === undefined ? onTheWay : Date.now() - unsure;
    pending.enter();
    if (at !== undefined && late > LATE) this.gate.tellLate(client, id, at);
  }
}
