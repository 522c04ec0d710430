/** Milliseconds before the second attempt on average, doubled for each further attempt up to the maximum. */
const FIRST_WAIT = 1000;
const LONGEST_WAIT = 30_000;
/** The part of such a wait over which attempts are spread, half of it earlier and half of it later. */
const SPREAD = 1 / 2;
/** How much later than a server asks an attempt may be made: this part of the wait, within these milliseconds. */
const LATER = { part: 1 / 10, least: 500, most: 15_000 } as const;

/** Milliseconds to the next attempt of a call. */
export interface NextAttempt {
  wait: number;
  /** For how long it counts: without the spread, so that an outage of a given length costs a given number of attempts. */
  counts: number;
}

/**
 * When a call is attempted again. Calls that fail together are spread, or they would meet at the server again and again:
 * around the back-off, and after the time that a server asks for.
 * @param failures attempts that have failed before this one
 * @param asked milliseconds that the server asks to wait; 0: it does not
 * @param random from 0 to 1
 */
export function nextAttempt(failures: number, asked: number, random = Math.random()): NextAttempt {
  const usual = Math.min(FIRST_WAIT * 2 ** failures, LONGEST_WAIT);
  const own = usual * (1 + SPREAD * (random - 1 / 2));
  const later = asked > 0 ? laterThan(asked, random) : 0;
  return { wait: Math.round(Math.max(own, asked + later)), counts: Math.max(usual, asked) };
}

/** Milliseconds by which a call is made later than a server asks. */
export function laterThan(asked: number, random = Math.random()): number {
  return Math.round(random * Math.min(Math.max(asked * LATER.part, LATER.least), LATER.most));
}
