/** Random choices that a seed repeats. */
export interface Random {
  /** From 0 to 1. */
  next(): number;
  /** A whole number from 0, below `max`. */
  below(max: number): number;
  pick<T>(from: readonly T[]): T;
}

/** Mulberry32: small, and good enough to choose what to do next. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (max: number) => Math.floor(next() * max);
  return { next, below, pick: (from) => from[below(from.length)] as (typeof from)[number] };
}
