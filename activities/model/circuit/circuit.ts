/**
 * Failures in a row that open a circuit. One run alone reaches them after 7.5 to 15 s, by the back-off of its call (at most
 * 1 + 2 + 4 + 8 s): many runs reach them at once, and it is for them that requests are saved.
 */
export const FAILURES = 5;
/** Milliseconds within which they have to come: as long as one call is retried before its run waits. */
export const WINDOW = 60_000;
/**
 * Milliseconds for which a circuit stays open: half of the longest back-off of a call, so that no run waits much longer
 * than without it.
 */
export const OPEN = 15_000;
/** Milliseconds that other calls wait during a probe: most models begin to answer within it. */
export const PROBING = 2000;

/**
 * How a call ended. `answered`: the server said something, be it that it limits the rate or refuses the request.
 * `unavailable`: it did not. `unknown`: the call was stopped.
 */
export type Outcome = { type: 'answered' } | ({ type: 'unavailable' } & Failed) | { type: 'unknown' };

/** The last failed call. */
interface Failed {
  /** What it said. */
  problem: string;
  /** The server can be reached. */
  answered?: true;
}

/** Leave to make a call. */
export interface Permit {
  /** Outcomes count only until the circuit changes: those of older calls say nothing about the server of now. */
  readonly epoch: number;
  /** The outcome of this call decides whether the circuit closes. */
  readonly isProbe: boolean;
}

/** Why a call is not made. Times are milliseconds since 1970. */
export interface Refusal extends Failed {
  /** When the circuit opened. */
  since: number;
  /** Milliseconds after which a call may be made. */
  wait: number;
  /** Another call is finding out whether the server is back. */
  isProbed: boolean;
}

type State =
  | { at: 'closed'; failures: readonly number[] }
  | { at: 'open'; since: number; last: Failed; until: number }
  | { at: 'half-open'; since: number; last: Failed };

/** The circuit breaker of one model. It has no clock: times are given in milliseconds since 1970. */
export class Circuit {
  #state: State = { at: 'closed', failures: [] };
  #epoch = 0;

  /** Asks to make a call. One that a person asked for is made while the circuit is open, and probes it. */
  enter(now: number, isAsked = false): Permit | Refusal {
    const refusal = this.refusal(now, isAsked);
    if (refusal !== undefined) return refusal;
    const state = this.#state;
    if (state.at === 'closed') return { epoch: this.#epoch, isProbe: false };
    if (state.at === 'open') this.#become({ at: 'half-open', since: state.since, last: state.last });
    // Of two probes the first that ends decides: that of another run may hang.
    return { epoch: this.#epoch, isProbe: true };
  }

  /** Why a call would not be made. Nothing changes. */
  refusal(now: number, isAsked = false): Refusal | undefined {
    const state = this.#state;
    if (isAsked || state.at === 'closed') return undefined;
    const { since, last } = state;
    if (state.at === 'half-open') return { since, ...last, wait: PROBING, isProbed: true };
    return now < state.until ? { since, ...last, wait: state.until - now, isProbed: false } : undefined;
  }

  /** Milliseconds until a call may be made; 0 if one may be made now. */
  waitAt(now: number): number {
    return this.#state.at === 'open' ? Math.max(0, this.#state.until - now) : 0;
  }

  /** Takes the outcome of a call. Says what it has changed. */
  settle({ epoch }: Permit, outcome: Outcome, now: number): 'opened' | 'closed' | undefined {
    if (epoch !== this.#epoch) return undefined;
    const state = this.#state;
    if (state.at === 'closed') return this.#count(state.failures, outcome, now);
    if (outcome.type === 'answered') {
      this.#become({ at: 'closed', failures: [] });
      return 'closed';
    }
    const { since, last } = state;
    // The next call is the probe in place of one that was stopped.
    if (outcome.type === 'unknown') this.#become({ at: 'open', since, last, until: now });
    else this.#become({ at: 'open', since, last: failedBy(outcome), until: now + OPEN });
    return undefined;
  }

  #count(before: readonly number[], outcome: Outcome, now: number): 'opened' | undefined {
    if (outcome.type === 'unknown') return undefined;
    if (outcome.type === 'answered') {
      this.#state = { at: 'closed', failures: [] };
      return undefined;
    }
    const failures = [...before, now].slice(-FAILURES);
    const [first = now] = failures;
    if (failures.length < FAILURES || now - first > WINDOW) {
      this.#state = { at: 'closed', failures };
      return undefined;
    }
    this.#become({ at: 'open', since: now, last: failedBy(outcome), until: now + OPEN });
    return 'opened';
  }

  #become(state: State): void {
    this.#state = state;
    this.#epoch++;
  }
}

function failedBy({ problem, answered }: Failed): Failed {
  return { problem, ...(answered ? { answered } : {}) };
}
