/** Milliseconds before the second attempt at most, doubled for each further attempt up to the maximum. */
const FIRST_WAIT = 1000;
const LONGEST_WAIT = 30_000;
/** How much later than a server asks an attempt may be made: this part of the wait, within these milliseconds. */
const LATER = { part: 1 / 10, least: 500, most: 15_000 } as const;

/** Milliseconds to the next attempt of a call. */
export interface NextAttempt {
  /** When it is made. */
  wait: number;
  /** When it would be made at the latest, if the server asked for nothing, and at the earliest if it did. */
  due: number;
}

/**
 * When a call is attempted again. Calls that fail together are spread, or they would meet at the server again and again:
 * over the second half of the back-off, and after the time that a server asks for.
 * @param failures attempts that have failed before this one
 * @param asked milliseconds that the server asks to wait; 0: it does not
 * @param random from 0 to 1
 */
export function nextAttempt(failures: number, asked: number, random = Math.random()): NextAttempt {
  const longest = Math.min(FIRST_WAIT * 2 ** failures, LONGEST_WAIT);
  const own = (longest * (1 + random)) / 2;
  const later = asked > 0 ? laterThan(asked, random) : 0;
  return { wait: Math.round(Math.max(own, asked + later)), due: Math.max(longest, asked) };
}

/** Milliseconds by which a call is made later than a server asks. */
export function laterThan(asked: number, random = Math.random()): number {
  return Math.round(random * Math.min(Math.max(asked * LATER.part, LATER.least), LATER.most));
}
