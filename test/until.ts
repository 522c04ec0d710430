import { setTimeout } from 'node:timers/promises';
import { slowness } from './slowness';

/**
 * Waits for a condition; the error names it as `what` if it never holds.
 * @param timeout milliseconds on a machine with nothing else to do
 */
export async function until(condition: () => boolean | Promise<boolean>, what: string, timeout = 30_000) {
  const since = Date.now();
  while (!(await condition())) {
    const passed = Date.now() - since;
    if (passed > timeout * slowness()) throw new Error(`Waited ${passed} ms without success for ${what}`);
    await setTimeout(10);
  }
}
