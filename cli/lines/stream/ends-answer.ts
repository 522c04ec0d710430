import type { Fact } from '../../../agent/protocol/facts/fact';

/** Facts after which nothing is added to the answer of a turn. Others may come while it is written. */
export const ENDS_ANSWER: ReadonlySet<Fact['type']> = new Set([
  'loop.iteration',
  'message',
  'exchange.end',
  'loop.end',
]);
