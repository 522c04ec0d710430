import { availableParallelism, loadavg } from 'node:os';

/** The greatest factor: what takes even longer hangs. */
const MOST = 10;

/**
 * The factor for time limits after which a test gives up: how many processes want each processor of this machine, at
 * least 1. A limit of a minute is meant as a minute of work, and on a busy machine that takes longer. What a test
 * asserts about time is not multiplied.
 */
export function slowness(): number {
  const [lastMinute = 0] = loadavg();
  return Math.min(MOST, Math.max(1, lastMinute / availableParallelism()));
}
