import type { Want } from './want';

/** A call in line. */
export interface Waiting extends Want {
  /** When it began to wait, in milliseconds since 1970. */
  since: number;
}

type CostOf = (want: Waiting) => number;

/** Who goes first. Times are milliseconds since 1970. */
export interface Turns {
  /** What the calls of tasks have coming. */
  readonly credit: number;
  /** The calls, the most urgent first. */
  order(waiting: readonly Waiting[], now: number, costOf: CostOf): Waiting[];
  /** Whether a call goes before those of people. */
  isDue(want: Waiting, now: number, cost: number): boolean;
  /** The call that goes first from some time on, if nothing else happens. */
  rising(line: readonly Waiting[], now: number, costOf: CostOf): { want: Waiting; at: number } | undefined;
  /** A call has had its turn, `others` wait. */
  taken(want: Waiting, cost: number, others: Iterable<Waiting>, now: number): void;
}

/**
 * Seconds in which calls that no person waits for get at most their share of the minute, and this number at least: in a
 * burst they would use up the minute, and a person who comes next would wait for the rest of it.
 */
export const PACE = { seconds: 5, share: 1 / 12, least: 5 };
/** Milliseconds after which a call that no person waits for is aged. */
const AGED = 30_000;
/** What aged calls get while they wait: this part of what people get. */
const SHARE = 1 / 3;

/**
 * People go first. While the call of a task has waited for long, a quarter of what the limits allow is for such calls:
 * neither people nor tasks can hold up the others for good, however many come.
 */
export class SharedTurns implements Turns {
  constructor(public credit = 0) {}

  order(waiting: readonly Waiting[], now: number, costOf: CostOf): Waiting[] {
    const eldest = eldestTask(waiting);
    const due = eldest !== undefined && this.isDue(eldest, now, costOf(eldest)) ? eldest : undefined;
    const rank = (want: Waiting) => (want === due ? 0 : want.interactive ? 1 : 2);
    return [...waiting].sort((a, b) => rank(a) - rank(b) || byAge(a, b));
  }

  isDue(want: Waiting, now: number, cost: number): boolean {
    return isAged(want, now) && this.credit >= cost;
  }

  rising(line: readonly Waiting[], now: number, costOf: CostOf): { want: Waiting; at: number } | undefined {
    const want = eldestTask(line);
    if (want === undefined || isAged(want, now) || this.credit < costOf(want)) return undefined;
    return { want, at: want.since + AGED };
  }

  taken(want: Waiting, cost: number, others: Iterable<Waiting>, now: number): void {
    if (!want.interactive) this.credit = Math.max(0, this.credit - cost);
    else if ([...others].some((other) => isAged(other, now))) this.credit += cost * SHARE;
  }
}

/** By age alone, once a call is aged: many tasks hold up people. */
export class ByAge implements Turns {
  readonly credit = 0;

  order(waiting: readonly Waiting[], now: number): Waiting[] {
    const isUrgent = ({ interactive, since }: Waiting) => interactive || now - since >= AGED;
    return [...waiting].sort((a, b) => Number(isUrgent(b)) - Number(isUrgent(a)) || byAge(a, b));
  }

  isDue(): boolean {
    return false;
  }

  rising(line: readonly Waiting[]): { want: Waiting; at: number } | undefined {
    const [want] = [...line].sort(byAge);
    return want === undefined || want === line[0] ? undefined : { want, at: want.since + AGED };
  }

  taken(): void {}
}

function isAged({ interactive, since }: Waiting, now: number): boolean {
  return !interactive && now - since >= AGED;
}

function eldestTask(waiting: readonly Waiting[]): Waiting | undefined {
  return waiting.filter(({ interactive }) => !interactive).sort(byAge)[0];
}

function byAge(a: Waiting, b: Waiting): number {
  return a.since - b.since || (a.id < b.id ? -1 : 1);
}

/** Calls that no person waits for, in the seconds of {@link PACE}. */
export function paceOf(requests: number): number {
  return Math.max(PACE.least, Math.floor(requests * PACE.share));
}
