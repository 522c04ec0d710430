import { defined } from '../values/defined';
import type { ModelLimits } from './model-limits';

/** Milliseconds after which the limits of a worker that asks no more are forgotten. */
const REMEMBERED = 60_000;

/**
 * The limits with which workers have asked, by worker, and when they asked last, in milliseconds since 1970. `seq`: that of
 * the latest of their questions.
 */
export interface AskedWith {
  [worker: string]: { limits: ModelLimits; at: number; seq?: number };
}

/** Those that still count. */
export function remembered(asked: AskedWith, now: number): AskedWith {
  return Object.fromEntries(Object.entries(asked).filter(([, { at }]) => now - at < REMEMBERED));
}

/** What all of them allow. */
export function smallestLimits(all: readonly ModelLimits[]): ModelLimits {
  const least = (field: keyof ModelLimits): number | undefined => {
    const given = all.flatMap(({ [field]: limit }) => (limit === undefined ? [] : [limit]));
    return given.length === 0 ? undefined : Math.min(...given);
  };
  return defined({
    requestsPerMinute: least('requestsPerMinute'),
    tokensPerMinute: least('tokensPerMinute'),
    concurrent: least('concurrent'),
  });
}

export function sameLimits(one: ModelLimits, other: ModelLimits): boolean {
  return (
    one.requestsPerMinute === other.requestsPerMinute &&
    one.tokensPerMinute === other.tokensPerMinute &&
    one.concurrent === other.concurrent
  );
}
