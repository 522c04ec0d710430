import { setTimeout as delay } from 'node:timers/promises';
import { type Random, randomFrom } from '../../determinism/random/random';

/** What may happen to something, by name, and how it is well again. */
export interface Disturbed {
  faults: { readonly [name: string]: () => Promise<void> | void };
  heal(): Promise<void> | void;
}

/** Milliseconds of a fault: for a moment, or for longer than heartbeats and attempts to connect may take. */
const FAULTY = [100, 1000, 3000, 8000];
const WELL = [500, 2000, 5000];

/** Faults that go on until `end`, which gives how many there were. */
export function disturb(all: readonly Disturbed[], seed: number): { end(): Promise<number> } {
  const over = new AbortController();
  const disturbed = all.map((one, i) => disturbOne(one, randomFrom(seed + i), over.signal));
  return {
    async end() {
      over.abort();
      const counts = await Promise.all(disturbed);
      return counts.reduce((sum, count) => sum + count, 0);
    },
  };
}

async function disturbOne({ faults, heal }: Disturbed, random: Random, signal: AbortSignal): Promise<number> {
  let count = 0;
  const pause = (among: number[]) => delay(random.pick(among), undefined, { signal }).catch(() => undefined);
  while (!signal.aborted) {
    await faults[random.pick(Object.keys(faults))]?.();
    count++;
    await pause(FAULTY);
    await heal();
    await pause(WELL);
  }
  return count;
}

/** What the environment asks for, to repeat a run that failed. */
export const RUNS = Number(process.env.RUNS ?? 30);
export const SEED = Number(process.env.SEED ?? Date.now() % 2 ** 31);
