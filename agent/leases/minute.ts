/** What was granted in one second. */
export interface Slot {
  /** Seconds since 1970. */
  second: number;
  requests: number;
  tokens: number;
}

/**
 * Seconds that a call counts. A minute, and two seconds for the way of the lease to the worker and of the request to
 * the provider: they may be late for one call and early for the next. A lease that is on its way for longer is moved.
 */
export const MINUTE = 62;

/** Calls and tokens of each second of the last minute. Times are milliseconds since 1970. */
export class Minute {
  readonly #slots = new Map<number, Slot>();

  constructor(slots: readonly Slot[]) {
    for (const slot of slots) this.#slots.set(slot.second, { ...slot });
  }

  /** Counts a call, or several with so many tokens together. */
  count(second: number, tokens: number, requests = 1): void {
    const slot = this.#slots.get(second) ?? { second, requests: 0, tokens: 0 };
    this.#slots.set(second, slot);
    slot.requests += requests;
    slot.tokens += tokens;
  }

  /** The call of a second took `tokens` more than it counts for, or less. */
  correct(second: number, tokens: number): void {
    const slot = this.#slots.get(second);
    if (slot !== undefined) slot.tokens = Math.max(0, slot.tokens + tokens);
  }

  /** A call that was counted is not made. */
  takeBack(second: number, tokens: number): void {
    const slot = this.#slots.get(second);
    if (slot === undefined) return;
    slot.requests--;
    slot.tokens = Math.max(0, slot.tokens - tokens);
  }

  /** A call that was counted is made in a later second. */
  move(from: number, to: number, tokens: number): void {
    // The answer that tells the second may be given in the next one.
    const second = [from, from - 1].find((one) => (this.#slots.get(one)?.requests ?? 0) > 0);
    if (second !== undefined) this.takeBack(second, tokens);
    this.count(to, tokens);
  }

  /** When `size` more fits below `limit` in a window of so many seconds. A second counts until it is over. */
  roomAt(what: 'requests' | 'tokens', size: number, limit: number, seconds: number, now: number): number {
    const first = Math.floor(now / 1000) - seconds;
    const slots = this.slots.filter(({ second }) => second >= first).sort((a, b) => a.second - b.second);
    let used = slots.reduce((sum, slot) => sum + slot[what], 0);
    let at = now;
    for (const slot of slots) {
      if (used + size <= limit) break;
      used -= slot[what];
      at = (slot.second + seconds + 1) * 1000;
    }
    return at;
  }

  forget(now: number): void {
    const first = Math.floor(now / 1000) - MINUTE;
    for (const { second } of this.#slots.values()) if (second < first) this.#slots.delete(second);
  }

  get slots(): Slot[] {
    return [...this.#slots.values()];
  }
}
