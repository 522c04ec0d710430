import { defined } from '../values/defined';
import { MINUTE, Minute, type Slot } from './minute';
import type { ModelLimits } from './model-limits';
import { ByAge, PACE, paceOf, SharedTurns, type Turns, type Waiting } from './turns';
import type { Attempt, Held, Late, Recent, Settled, Want } from './want';

/** What one run of the workflow passes to the next. Times are milliseconds since 1970. */
export interface LedgerState {
  /** Calls and tokens of each second of the last minute. */
  slots: Slot[];
  /** Calls in progress, if their number or their tokens are limited. */
  open: { [id: string]: Lease };
  /** Nothing is granted before. */
  blockedUntil: number;
  /** What the calls of tasks have coming, see {@link SharedTurns}. Missing: nothing. */
  credit?: number;
}

interface Lease {
  second: number;
  tokens: number;
  until: number;
  attempt?: Attempt;
}

/** Milliseconds in which the workers tell what they hold: they ask again a second after a question that was not answered. */
const LEARNING = 2000;
/** Longest wait that a provider may ask for, in milliseconds: an hour. */
const LONGEST_BLOCK = 3_600_000;

/**
 * Who may call a model now, under the limits that hold for all workers. Pure: time comes from the caller. Within any
 * window of a minute no more is granted than the limits allow, whatever the callers do.
 */
export class Ledger {
  readonly #minute: Minute;
  readonly #open = new Map<string, Lease>();
  readonly #waiting = new Map<string, Waiting>();
  #blockedUntil: number;
  #learnsUntil = 0;
  /** The ends of waits that calls in progress have passed. */
  readonly #passed = new Map<string, number>();
  readonly #turns: Turns;

  /** @param isEarlier it decides as versions did before turns were shared, for recorded histories */
  constructor(
    public limits: ModelLimits,
    { slots, open, blockedUntil, credit }: LedgerState = { slots: [], open: {}, blockedUntil: 0 },
    private readonly isEarlier = false,
  ) {
    this.#turns = isEarlier ? new ByAge() : new SharedTurns(credit);
    this.#minute = new Minute(slots);
    for (const [id, lease] of Object.entries(open)) this.#open.set(id, lease);
    this.#blockedUntil = blockedUntil;
  }

  /** Lines a call up. */
  want(want: Want, now: number): void {
    this.#endEarlier(want.attempt);
    if (!this.#open.has(want.id)) this.#waiting.set(want.id, { ...want, since: now - want.waited });
  }

  /** Takes a call out of the line. */
  drop(id: string): void {
    this.#waiting.delete(id);
  }

  /** A call is not made: neither its place in line nor its lease is needed. */
  leave(id: string): void {
    this.#waiting.delete(id);
    const lease = this.#open.get(id);
    if (lease === undefined) return;
    this.#open.delete(id);
    this.#minute.takeBack(lease.second, lease.tokens);
  }

  /** A call has begun later than its lease was given. */
  beganLate({ id, at, since }: Late, now: number): void {
    const lease = this.#open.get(id);
    const from = lease?.second ?? Math.floor(at / 1000);
    const to = Math.floor((now - Math.max(0, since)) / 1000);
    if (to <= from) return;
    this.#minute.move(from, to, lease?.tokens ?? 0);
    if (lease !== undefined) lease.second = to;
  }

  /** Ends a lease, and corrects the tokens that it counts for. */
  settle({ id, tokens, retryAfter, endsBlock }: Settled, now: number): void {
    // Meanwhile the provider may have asked for another wait.
    if (endsBlock && this.#passed.get(id) === this.#blockedUntil) this.#blockedUntil = 0;
    this.#passed.delete(id);
    if (retryAfter !== undefined) {
      this.#blockedUntil = Math.max(this.#blockedUntil, now + Math.min(retryAfter, LONGEST_BLOCK));
    }
    const lease = this.#open.get(id);
    if (lease === undefined) return;
    this.#open.delete(id);
    if (tokens !== undefined) this.#minute.correct(lease.second, tokens - lease.tokens);
  }

  /**
   * Takes over the calls that a worker makes. If it `isUnknown`, this ledger has begun without what was before, and waits for
   * the other workers to tell theirs.
   */
  hold(held: readonly Held[], isUnknown: boolean, now: number): void {
    if (this.isEarlier) return;
    if (isUnknown && this.#learnsUntil === 0) this.#learnsUntil = now + LEARNING;
    for (const { want, since } of held) if (!this.#open.has(want.id)) this.#lease(want, now - since);
  }

  /** Takes over what a worker has used of the last minute, of which this ledger does not know. */
  remember(recent: readonly Recent[], now: number): void {
    for (const { since, requests, tokens } of recent) {
      this.#minute.count(Math.floor((now - since) / 1000), tokens, requests);
    }
  }

  /** The calls that may be made now, the most urgent first. They are leased. */
  grant(now: number): string[] {
    this.#forget(now);
    const granted: string[] = [];
    for (;;) {
      const line = this.#line(now);
      // In strict order: a large call that waits would starve if smaller ones could pass it. But what the provider holds
      // up does not hold up a call that passes it.
      const want = this.#blockedUntil > now ? line.find(({ despiteBlock }) => despiteBlock) : line[0];
      if (want === undefined || this.#freeAt(want, now) > now) return granted;
      if (this.#blockedUntil > now) this.#passed.set(want.id, this.#blockedUntil);
      this.#lease(want, now);
      this.#waiting.delete(want.id);
      this.#turns.taken(want, this.#costOf(want), this.#waiting.values(), now);
      granted.push(want.id);
    }
  }

  /**
   * When the next call can be granted, if nothing is wanted or settled before; `undefined` if none waits. The line may
   * change by itself until then: the eldest call goes first once it has aged.
   */
  next(now: number): number | undefined {
    const line = this.#line(now);
    const [first] = line;
    if (first === undefined) return undefined;
    const passing = line.find(({ despiteBlock }) => despiteBlock);
    if (passing !== undefined && this.#blockedUntil > now) {
      return Math.min(this.#freeAt(passing, now), this.#freeAt(first, now));
    }
    const free = this.#freeAt(first, now);
    const rising = this.#turns.rising(line, now, (want) => this.#costOf(want));
    return rising === undefined || free < rising.at ? free : this.#freeAt(rising.want, rising.at);
  }

  /** The calls in line, the most urgent first. */
  order(now: number): string[] {
    return this.#line(now).map(({ id }) => id);
  }

  /** For people, and for the next run. */
  state(now: number): LedgerState {
    this.#forget(now);
    const { credit } = this.#turns;
    const { slots } = this.#minute;
    return {
      slots,
      open: Object.fromEntries(this.#open),
      blockedUntil: this.#blockedUntil,
      ...(credit > 0 ? { credit } : {}),
    };
  }

  /** Whether the lease of a call is in force: a worker that did not get the answer asks for it again. */
  isOpen(id: string): boolean {
    return this.#open.has(id);
  }

  /** Until when what has happened so far counts: the last lease that is not settled, or the wait that a provider asked for. */
  get until(): number {
    return Math.max(this.#blockedUntil, ...[...this.#open.values()].map(({ until }) => until));
  }

  /** Milliseconds for which a provider asked to wait. */
  blockedFor(now: number): number {
    return Math.max(0, this.#blockedUntil - now);
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Otherwise no lease is settled, and nothing depends on it. */
  get countsOpen(): boolean {
    return this.limits.concurrent !== undefined || this.limits.tokensPerMinute !== undefined;
  }

  #lease({ id, term, attempt, ...want }: Omit<Want, 'waited'>, at: number): void {
    const second = Math.floor(at / 1000);
    const tokens = this.#tokensOf(want);
    this.#minute.count(second, tokens);
    if (this.countsOpen) this.#open.set(id, { second, tokens, until: at + term, ...defined({ attempt }) });
  }

  /** The worker of an earlier attempt is gone, and settles nothing. Its request may have been made: the minute has it. */
  #endEarlier(attempt: Attempt | undefined): void {
    if (attempt === undefined) return;
    for (const [id, { attempt: open }] of this.#open) {
      if (open?.of === attempt.of && open.began < attempt.began) this.#open.delete(id);
    }
  }

  #line(now: number): Waiting[] {
    return this.#turns.order([...this.#waiting.values()], now, (want) => this.#costOf(want));
  }

  /** The first time at which every limit has room for a call. */
  #freeAt(want: Waiting, now: number): number {
    const { requestsPerMinute: requests, tokensPerMinute: tokens, concurrent } = this.limits;
    const times = [now, this.#learnsUntil, want.despiteBlock ? now : this.#blockedUntil];
    if (requests !== undefined) {
      times.push(this.#minute.roomAt('requests', 1, requests, MINUTE, now));
      if (!want.interactive && !this.#turns.isDue(want, now, this.#costOf(want)))
        times.push(this.#minute.roomAt('requests', 1, paceOf(requests), PACE.seconds, now));
    }
    if (tokens !== undefined) times.push(this.#minute.roomAt('tokens', this.#tokensOf(want), tokens, MINUTE, now));
    if (concurrent !== undefined && this.#open.size >= concurrent) {
      const ends = [...this.#open.values()].map(({ until }) => until).sort((a, b) => a - b);
      times.push(ends[this.#open.size - concurrent] ?? now);
    }
    return Math.max(...times);
  }

  /** A call larger than the limit would never be made: it takes a whole minute for itself. */
  #tokensOf({ tokens }: Pick<Want, 'tokens'>): number {
    return Math.min(tokens, this.limits.tokensPerMinute ?? tokens);
  }

  /** What a call takes of the limit that is used up first. */
  #costOf(want: Want): number {
    return this.limits.tokensPerMinute === undefined ? 1 : Math.max(1, this.#tokensOf(want));
  }

  #forget(now: number): void {
    this.#minute.forget(now);
    for (const [id, { until }] of this.#open) if (until <= now) this.#open.delete(id);
  }
}
