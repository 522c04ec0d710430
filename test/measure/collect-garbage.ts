import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** Collects all that nothing refers to, and with several rounds what only that referred to. */
export async function collectGarbage(rounds = 5): Promise<void> {
  for (let i = 0; i < rounds; i++) {
    // What ends with this task keeps its values until then.
    await sleep(10);
    collect();
  }
}
