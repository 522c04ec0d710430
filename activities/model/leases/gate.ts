import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { Log } from '../../../agent/define/context';
import { messageOf } from '../../../agent/errors/error';
import { Minute } from '../../../agent/leases/minute';
import type { ModelLimits } from '../../../agent/leases/model-limits';
import { sameLimits } from '../../../agent/leases/smallest-limits';
import type { Held, Late, Recent, Settled, Want } from '../../../agent/leases/want';
import { defined } from '../../../agent/values/defined';
import { askForLeases } from './ask-for-leases';
import { Line, type TimedGrant } from './line';

/**
 * Calls that no person waits for which may wait here: each takes one of the hundred places that a worker has for
 * activities by default. Others come back later.
 */
const MOST_HELD = 20;

/** Too many calls wait already: this one is to come back. */
export class LineIsFull extends Error {
  override readonly name = 'LineIsFull';
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
  /** Calls in progress that began late, of which the workflow does not know yet. `began`: milliseconds since 1970. */
  #late: (Omit<Late, 'since'> & { began: number })[] = [];
  /** Calls in progress, and when their leases were given. */
  readonly #held = new Map<string, { want: Held['want']; at: number }>();
  /** Calls of the last minute that have ended. */
  readonly #recent = new Minute([]);
  /** Where the last answer came from. */
  #ledger: string | undefined;
  /** A question was not answered: the workflow may have been ended, and the next one knows of no call. */
  #tells = false;
  /** Questions so far. */
  #seq = 0;
  /** Names this gate among those of other workers. */
  readonly #worker = randomUUID();
  /** Those that hold: other workers may ask with smaller ones. */
  #inForce: ModelLimits;
  #telling = false;
  #hasToldLarge = false;
  readonly #closing = new AbortController();
  readonly #open = new Set<Promise<unknown>>();

  constructor(
    readonly alias: string,
    readonly limits: ModelLimits,
    readonly log: Log,
    /** Of the limits: gates with the same name share them. */
    readonly name = alias,
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
        line.leave(client, id);
        reject(signal.reason);
      };
      if (signal.aborted) return leave();
      signal.addEventListener('abort', leave, { once: true });
      const enter = () => {
        signal.removeEventListener('abort', leave);
        this.#held.set(id, { want: { id, ...about }, at: Date.now() });
        resolve({ settle: (how) => this.settle(client, { id, ...how }) });
      };
      const refuse = (error: Error) => {
        signal.removeEventListener('abort', leave);
        reject(error);
      };
      line.join(client, { want: { id, waited: 0, ...about }, since: Date.now() - waited, enter, refuse });
    });
  }

  /** Asks the workflow, and tells a new one what it cannot know. A closed gate asks nothing. */
  async ask(client: Client, wants: Want[]): Promise<TimedGrant> {
    const grant = await this.#ask(client, wants);
    if (!grant.tell) return grant;
    this.#tells = true;
    return this.#ask(client, wants);
  }

  async #ask(client: Client, wants: Want[]): Promise<TimedGrant> {
    const { signal } = this.#closing;
    signal.throwIfAborted();
    const settled = this.settled.splice(0);
    const late = this.#late.splice(0);
    const { limits } = this;
    const sent = Date.now();
    const about = {
      limits,
      worker: this.#worker,
      takesBlock: true,
      seq: this.#seq++,
      ...(late.length > 0 ? { late: late.map(({ id, at, began }) => ({ id, at, since: sent - began })) } : {}),
      ...this.#told(),
    } as const;
    const asked = askForLeases(client, this.name, { ...about, wants, settled }, signal);
    const ended = asked
      .catch(() => {
        this.settled.unshift(...settled);
        this.#late.unshift(...late);
        this.#tells = true;
      })
      .finally(() => this.#open.delete(ended));
    this.#open.add(ended);
    const answer = await asked;
    const grant = { ...answer, onTheWay: Date.now() - sent - (answer.waited ?? 0) };
    if (grant.tell) return grant;
    if (about.held !== undefined) this.#tells = false;
    this.#ledger = grant.ledger;
    this.#holds(grant.limits ?? limits);
    return grant;
  }

  /** What another workflow than the last one cannot know. One that answered the last question is only told so. */
  #told(): { knows?: string; held?: Held[]; recent?: Recent[] } {
    const now = Date.now();
    this.#recent.forget(now);
    const { slots } = this.#recent;
    const isUsed = this.#held.size > 0 || slots.length > 0;
    const knows = defined({ knows: isUsed || this.#tells ? this.#ledger : undefined });
    if (!this.#tells) return knows;
    const held = [...this.#held.values()].map(({ want, at }) => ({ want, since: now - at }));
    const recent = slots.map(({ second, ...used }) => ({ since: Math.max(0, now - (second + 1) * 1000), ...used }));
    return { ...knows, held, recent };
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

  /** Says once that a call of so many tokens gets a whole minute: the run only seems slow. */
  tellLarge(tokens: number): void {
    if (this.#hasToldLarge) return;
    this.#hasToldLarge = true;
    const about = { model: this.alias, tokens, tokensPerMinute: this.limits.tokensPerMinute };
    this.log.warn(
      about,
      'A call of a model is expected to take more tokens than its `limits.tokensPerMinute`: such calls are made one a minute. Raise the limit, or lower `maxTokens` of the alias or what is sent.',
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

  /** A call is not made after all: others may have its place in line, or its lease. */
  leave(client: Client, id: string): void {
    // Workflows of earlier versions only know of the tokens.
    this.settle(client, { id, tokens: 0, left: true });
  }

  /** Others must not count on the time at which the lease was given. */
  tellLate(client: Client, id: string, at: number): void {
    this.#late.push({ id, at, began: Date.now() });
    void this.#tell(client);
  }

  settle(client: Client, settled: Settled): void {
    const held = this.#held.get(settled.id);
    this.#held.delete(settled.id);
    if (held !== undefined) this.#recent.count(Math.floor(held.at / 1000), settled.tokens ?? held.want.tokens);
    const { concurrent, tokensPerMinute } = this.#inForce;
    const { retryAfter, endsBlock, left } = settled;
    const isAwaited = concurrent !== undefined || retryAfter !== undefined || endsBlock === true || left === true;
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
      while (this.settled.length + this.#late.length > 0) await this.ask(client, []);
    } catch (error) {
      const about = { model: this.alias, error: messageOf(error) };
      this.log.debug(about, 'What became of leases could not be told yet: it goes with the next question');
    }
    this.#telling = false;
  }
}
