import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { Log } from '../../../agent/define/context';
import { messageOf } from '../../../agent/errors/error';
import type { ModelLimits } from '../../../agent/leases/model-limits';
import { sameLimits } from '../../../agent/leases/smallest-limits';
import type { Settled, Want } from '../../../agent/leases/want';
import type { LeaseGrant } from '../../../agent/protocol/entities/leases';
import { askForLeases } from './ask-for-leases';

/** What a call that waits needs. */
interface Pending {
  want: Want;
  since: number;
  enter(): void;
  refuse(error: Error): void;
}

/** Milliseconds before the workflow is asked again after it could not be reached. */
const PAUSE = 1000;

/**
 * Calls that no person waits for which may wait here: each takes one of the hundred places that a worker has for
 * activities by default. Others come back later.
 */
const MOST_HELD = 20;

/** Too many calls wait already: this one is to come back. */
export class LineIsFull extends Error {
  override readonly name = 'LineIsFull';
}

/** The provider asked for a longer wait than is worth a place in line. */
export class ProviderAsksToWait extends Error {
  override readonly name = 'ProviderAsksToWait';

  /** @param wait milliseconds that are left of it */
  constructor(readonly wait: number) {
    super();
  }
}

/** The right to make one call. */
export interface Lease {
  /** Ends it. `tokens`: what the call took; `retryAfter`: milliseconds that the provider asks to wait. */
  settle(how?: Omit<Settled, 'id'>): void;
}

/** Where the calls of one process wait for their leases. */
export class Gate {
  readonly #people = new Line(this);
  readonly #others = new Line(this);
  /** Ended calls of which the workflow does not know yet. */
  settled: Settled[] = [];
  /** Names this gate among those of other workers. */
  readonly #worker = randomUUID();
  /** Those that hold: other workers may ask with smaller ones. */
  #inForce: ModelLimits;
  #telling = false;
  readonly #closing = new AbortController();
  readonly #open = new Set<Promise<unknown>>();

  constructor(
    readonly alias: string,
    readonly limits: ModelLimits,
    readonly log: Log,
  ) {
    this.#inForce = limits;
  }

  /**
   * Waits for a lease. Throws the reason of the signal when that aborts.
   * @throws LineIsFull
   * @throws ProviderAsksToWait
   */
  enter(client: Client, { waited, ...about }: Omit<Want, 'id'>, signal: AbortSignal): Promise<Lease> {
    const id = randomUUID();
    const line = about.interactive ? this.#people : this.#others;
    return new Promise<Lease>((resolve, reject) => {
      if (!about.interactive && line.size >= MOST_HELD) return reject(new LineIsFull());
      const leave = () => {
        line.leave(id);
        reject(signal.reason);
      };
      if (signal.aborted) return leave();
      signal.addEventListener('abort', leave, { once: true });
      const enter = () => {
        signal.removeEventListener('abort', leave);
        resolve({ settle: (how) => this.settle(client, { id, ...how }) });
      };
      const refuse = (error: Error) => {
        signal.removeEventListener('abort', leave);
        reject(error);
      };
      line.join(client, { want: { id, waited: 0, ...about }, since: Date.now() - waited, enter, refuse });
    });
  }

  /** Asks the workflow. A closed gate asks nothing. */
  async ask(client: Client, wants: Want[]): Promise<LeaseGrant> {
    const { signal } = this.#closing;
    signal.throwIfAborted();
    const settled = this.settled.splice(0);
    const request = { limits: this.limits, worker: this.#worker, wants, settled, takesBlock: true } as const;
    const asked = askForLeases(client, this.alias, request, signal);
    const ended = asked.catch(() => this.settled.unshift(...settled)).finally(() => this.#open.delete(ended));
    this.#open.add(ended);
    const grant = await asked;
    this.#holds(grant.limits ?? this.limits);
    return grant;
  }

  #holds(inForce: ModelLimits): void {
    if (sameLimits(inForce, this.#inForce)) return;
    this.#inForce = inForce;
    if (sameLimits(inForce, this.limits)) return;
    const about = { model: this.alias, limits: this.limits, inForce };
    this.log.warn(
      about,
      'Workers have different `limits` for a model: the smallest of them hold. Give all workers equal ones.',
    );
  }

  get isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  /** Ends open questions: the connection is about to be closed. Leases that are not settled end by themselves. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#open);
  }

  settle(client: Client, settled: Settled): void {
    const { concurrent, tokensPerMinute } = this.#inForce;
    const isAwaited = concurrent !== undefined || settled.retryAfter !== undefined || settled.endsBlock === true;
    // A lease on which nothing depends ends by itself.
    if (!isAwaited && tokensPerMinute === undefined) return;
    this.settled.push(settled);
    if (isAwaited) void this.#tell(client);
  }

  /** Tells at once what others wait for: the open questions may wait for it, too. One message is on its way at a time. */
  async #tell(client: Client): Promise<void> {
    if (this.#telling) return;
    this.#telling = true;
    // What ends at the same moment goes together.
    await delay(0);
    try {
      while (this.settled.length > 0) await this.ask(client, []);
    } catch (error) {
      const about = { model: this.alias, error: messageOf(error) };
      this.log.debug(about, 'Leases could not be settled yet: they go with the next question');
    }
    this.#telling = false;
  }
}

/**
 * Calls that wait. One question is open at a time and asks for all of them, so that many calls cost little more than
 * one. People have a line of their own: they do not wait for the answer to a question about others.
 */
class Line {
  readonly #pending = new Map<string, Pending>();
  #asking = false;

  constructor(private readonly gate: Gate) {}

  get size(): number {
    return this.#pending.size;
  }

  join(client: Client, pending: Pending): void {
    this.#pending.set(pending.want.id, pending);
    void this.#ask(client);
  }

  leave(id: string): void {
    this.#pending.delete(id);
  }

  async #ask(client: Client): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    let isTold = false;
    // What begins at the same moment is asked for together.
    await delay(0);
    while (this.#pending.size > 0 && !this.gate.isClosed) {
      const { alias, log } = this.gate;
      const now = Date.now();
      const wants = [...this.#pending.values()].map(({ want, since }) => ({ ...want, waited: now - since }));
      try {
        const { granted, blocked, again } = await this.gate.ask(client, wants);
        for (const id of granted) this.#grant(client, id);
        if (blocked !== undefined) this.#refuse(wants, blocked);
        isTold = false;
        if (again !== undefined) await delay(again);
      } catch (error) {
        const about = { model: alias, error: messageOf(error) };
        if (!isTold && !this.gate.isClosed)
          log.warn(about, 'The leases of a model cannot be asked for: its calls wait');
        isTold = true;
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
    }
  }

  #grant(client: Client, id: string): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    // Its call was cancelled meanwhile.
    if (pending === undefined) this.gate.settle(client, { id, tokens: 0 });
    else pending.enter();
  }
}
