import { allHandlersFinished, condition } from '@temporalio/workflow';
import type { Ledger } from '../../agent/leases/ledger';
import { LEASE_WAIT, type LeaseGrant, type LeaseRequest, type LeaseUsage } from '../../agent/protocol/entities/leases';

/** Milliseconds without a call after which calls that have ended no longer count. */
const IDLE = 120_000;

/** The updates that wait, in front of a ledger. */
export class Line {
  readonly #granted = new Set<string>();
  /** When {@link next} wakes up by itself. */
  #wakesAt = 0;
  #isEarlier = false;
  #lastUse = Date.now();
  #closed = false;

  constructor(readonly ledger: Ledger) {}

  async lease({ limits, wants, settled, takesBlock }: LeaseRequest): Promise<LeaseGrant> {
    const now = Date.now();
    this.#lastUse = now;
    this.ledger.limits = limits;
    for (const one of settled) this.ledger.settle(one, now);
    for (const one of wants) this.ledger.want(one, now);
    this.#grant();
    const mine = () => wants.map(({ id }) => id).filter((id) => this.#granted.has(id) || this.ledger.isOpen(id));
    const isBlocked = takesBlock === true && wants.some(({ despiteBlock }) => !despiteBlock);
    const blocked = () => (isBlocked ? this.ledger.blockedFor(Date.now()) : 0);
    const isOver = () => this.#closed || mine().length > 0 || blocked() > LEASE_WAIT;
    if (wants.length > 0 && !isOver()) await condition(isOver, LEASE_WAIT);
    const granted = mine();
    for (const id of granted) this.#granted.delete(id);
    // They ask again, with the time that they have waited: a worker that is gone keeps no place in line.
    for (const { id } of wants) this.ledger.drop(id);
    const rest = blocked();
    return rest > LEASE_WAIT ? { granted, blocked: rest } : { granted };
  }

  /** Waits until something can be granted, and grants it. False if nothing has happened for a long time. */
  async next(isFull: () => boolean): Promise<boolean> {
    this.#isEarlier = false;
    this.#wakesAt = this.ledger.next(Date.now()) ?? this.#endsAt;
    await condition(() => this.#isEarlier || isFull(), Math.max(this.#wakesAt - Date.now(), 1));
    this.#grant();
    return this.ledger.waiting > 0 || !allHandlersFinished() || Date.now() < this.#endsAt;
  }

  /** When all that has happened no longer counts, if nothing else happens until then. */
  get #endsAt(): number {
    return Math.max(this.#lastUse + IDLE, this.ledger.until);
  }

  close(): void {
    this.#closed = true;
  }

  usage(): LeaseUsage {
    const now = Date.now();
    return { limits: this.ledger.limits, waiting: this.ledger.waiting, ...this.ledger.state(now) };
  }

  page(alias: string): string {
    const { limits, waiting, open, slots } = this.usage();
    const requests = slots.reduce((sum, slot) => sum + slot.requests, 0);
    const tokens = slots.reduce((sum, slot) => sum + slot.tokens, 0);
    const of = (used: number, most: number | undefined) => (most === undefined ? `${used}` : `${used} of ${most}`);
    return [
      `The model \`${alias}\` and its limits for all workers.`,
      '',
      `In the last minute: ${of(requests, limits.requestsPerMinute)} calls, ${of(tokens, limits.tokensPerMinute)} tokens.`,
      `Now: ${of(Object.keys(open).length, limits.concurrent)} calls in progress, ${waiting} in line.`,
    ].join('\n');
  }

  #grant(): void {
    const now = Date.now();
    for (const id of this.ledger.grant(now)) this.#granted.add(id);
    const next = this.ledger.next(now);
    if (next !== undefined && next < this.#wakesAt) this.#isEarlier = true;
  }
}
