import type { Fact } from './fact';

/** Bytes of JSON up to which a history leaves its facts. A usual one of 4,096 events has 1 MB, which becomes about 100 KB. */
export const MAX_LEFT = 2048 * 1024;

/**
 * The facts of a history that a run has left. They are the second argument with which it goes on in the next history, so that a
 * reader takes them from the last event of this one: no worker has to replay it.
 */
export interface LeftFacts {
  chainId: string;
  facts: readonly Fact[];
}
