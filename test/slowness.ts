import { availableParallelism, loadavg } from 'node:os';

/** The greatest factor: what takes even longer hangs. */
const MOST = 10;

/**
 * The factor for all time limits of the tests: how many processes want each processor of this machine, at least 1. A
 * limit of a minute is meant as a minute of work, and on a busy machine that takes longer.
 */
export function slowness(): number {
  const [lastMinute = 0] = loadavg();
  return Math.min(MOST, Math.max(1, lastMinute / availableParallelism()));
}
