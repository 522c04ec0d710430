import { allHandlersFinished, condition } from '@temporalio/workflow';
import type { Ledger } from '../../agent/leases/ledger';
import type { ModelLimits } from '../../agent/leases/model-limits';
import { type AskedWith, remembered, sameLimits, smallestLimits } from '../../agent/leases/smallest-limits';
import {
  LEASE_WAIT,
  type LeaseGrant,
  type LeaseRequest,
  type LeaseUsage,
  MOST_WAITING,
} from '../../agent/protocol/entities/leases';
import { defined } from '../../agent/values/defined';

/** Milliseconds without a call after which calls that have ended no longer count. */
const IDLE = 120_000;

/** Milliseconds after which a question that was turned away is asked again, at least. */
const AGAIN = 500;
/** Milliseconds between two of them: however many workers there are, their questions leave room for others. */
const BETWEEN = 50;

/** An update that waits. */
interface Question {
  /** Of the calls for which it asks. Those that have left are taken out. */
  ids: Set<string>;
  /** It can be asked again later. */
  comesBack: boolean;
  isTurnedAway: boolean;
}

interface About {
  /** Runs that have come to what the ledger knows. The last one is {@link LeaseGrant.ledger}. */
  ids: readonly string[];
  /**
   * In recorded histories a call stays in line until its question ends, and what was used before the ledger began is not
   * told.
   */
  isEarlier: boolean;
}

/** The updates that wait, in front of a ledger. */
export class Line {
  readonly #granted = new Set<string>();
  readonly #questions = new Set<Question>();
  /** When {@link next} wakes up by itself. */
  #wakesAt = 0;
  #isEarlier = false;
  #lastUse = Date.now();
  #closed = false;
  /** When the last question that was turned away is asked again. */
  #lastAgain = 0;

  constructor(
    readonly ledger: Ledger,
    private readonly about: About,
    public asked: AskedWith = {},
  ) {}

  async lease(request: LeaseRequest): Promise<LeaseGrant> {
    const { limits, worker, wants, settled, late = [], held, recent = [], knows, seq, takesBlock } = request;
    const now = Date.now();
    this.#lastUse = now;
    const before = worker !== undefined && Object.hasOwn(this.asked, worker) ? this.asked[worker] : undefined;
    const { ids: runs, isEarlier } = this.about;
    const ledger = runs.at(-1) ?? '';
    const isNew = !isEarlier && knows !== undefined && !runs.includes(knows) && before === undefined;
    if (isNew && held === undefined) {
      for (const one of settled) this.ledger.settle(one, now);
      return { granted: [], ledger, tell: true };
    }
    const isLatest = seq === undefined || seq > (before?.seq ?? -1);
    this.ledger.limits = this.#limitsWith(limits, worker, now, isLatest ? seq : before?.seq);
    // A call of an overtaken question may have ended since: nothing would end it again.
    if (held !== undefined && isLatest && (isNew || this.ledger.countsOpen)) {
      const isUnknown = isNew || (before === undefined && (isEarlier || knows === undefined));
      this.ledger.hold(held, isUnknown, now);
    }
    if (isNew) this.ledger.remember(recent, now);
    for (const one of late) this.ledger.beganLate(one, now);
    for (const one of settled) {
      if (one.left && !isEarlier) this.#leave(one.id);
      this.ledger.settle(one, now);
    }
    for (const one of wants) this.ledger.want(one, now);
    this.#grant();
    const ids = wants.map(({ id }) => id);
    const mine = () => ids.filter((id) => this.#granted.has(id) || this.ledger.isOpen(id));
    const isBlocked = takesBlock === true && wants.some(({ despiteBlock }) => !despiteBlock);
    const blocked = () => (isBlocked ? this.ledger.blockedFor(Date.now()) : 0);
    const question = { ids: new Set(ids), comesBack: worker !== undefined, isTurnedAway: false };
    const isOver = () => this.#closed || question.ids.size === 0 || mine().length > 0 || blocked() > LEASE_WAIT;
    if (wants.length > 0 && !isOver() && this.#joins(question)) {
      await condition(() => isOver() || question.isTurnedAway, LEASE_WAIT);
    }
    this.#questions.delete(question);
    const granted = mine();
    for (const id of granted) this.#granted.delete(id);
    // They ask again, with the time that they have waited: a worker that is gone keeps no place in line.
    for (const id of ids) this.ledger.drop(id);
    const rest = blocked();
    const at = Date.now();
    return {
      granted,
      ...(granted.length > 0 ? { at, waited: at - now } : {}),
      ...(rest > LEASE_WAIT ? { blocked: rest } : {}),
      ...(question.isTurnedAway && granted.length === 0 ? { again: this.#again() } : {}),
      ...(worker === undefined || sameLimits(limits, this.ledger.limits) ? {} : { limits: this.ledger.limits }),
      ...(worker === undefined || isEarlier ? {} : { ledger }),
    };
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

  /** A question of which all calls have left ends: its worker may have others. */
  #leave(id: string): void {
    this.ledger.leave(id);
    this.#granted.delete(id);
    for (const { ids } of this.#questions) ids.delete(id);
  }

  /** Whether a question may wait. If too many do, the least urgent of them is to be asked again later. */
  #joins(question: Question): boolean {
    this.#questions.add(question);
    if (this.#questions.size > MOST_WAITING) this.#turnAway();
    return !question.isTurnedAway;
  }

  #turnAway(): void {
    const order = this.ledger.order(Date.now());
    const place = ({ ids }: Question) => order.findIndex((id) => ids.has(id));
    const [last] = [...this.#questions]
      .filter(({ comesBack, isTurnedAway }) => comesBack && !isTurnedAway)
      .sort((a, b) => place(b) - place(a));
    if (last !== undefined) last.isTurnedAway = true;
  }

  #again(): number {
    const now = Date.now();
    this.#lastAgain = Math.max(this.#lastAgain + BETWEEN, now + AGAIN);
    return this.#lastAgain - now;
  }

  #limitsWith(limits: ModelLimits, worker: string | undefined, now: number, seq: number | undefined): ModelLimits {
    const asks = { limits, at: now, ...defined({ seq }) };
    this.asked = worker === undefined ? {} : { ...remembered(this.asked, now), [worker]: asks };
    return worker === undefined ? limits : smallestLimits(Object.values(this.asked).map((one) => one.limits));
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
