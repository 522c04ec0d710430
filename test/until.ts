import { setTimeout } from 'node:timers/promises';

/** Waits for a condition; the error names it as `what` if it never holds. */
export async function until(condition: () => boolean | Promise<boolean>, what: string, timeout = 30_000) {
  const deadline = Date.now() + timeout;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`Waited ${timeout} ms without success for ${what}`);
    await setTimeout(10);
  }
}
