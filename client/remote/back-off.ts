/** Milliseconds before the second try, and at most between two. */
const FIRST = 200;
const LONGEST = 5000;

/** Milliseconds to wait after a number of tries. Varied: a thousand readers must not come back at once. */
export function backOff(tries: number, random: number = Math.random()): number {
  return Math.min(LONGEST, FIRST * 2 ** (tries - 1)) * (0.5 + random / 2);
}
