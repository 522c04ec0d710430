import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { weakModelFolder } from './folder';

export interface WeakModel {
  /** Base of the API. */
  url: string;
  close(): Promise<void>;
}

/** Starts the weak model in a process of its own: its computing must not block the worker. */
export async function startWeakModel(seed: number): Promise<WeakModel> {
  const child = fork(join(__dirname, 'serve.mjs'), [weakModelFolder(), String(seed)]);
  const ended = once(child, 'exit');
  const first = await Promise.race([once(child, 'message'), ended]);
  const { port } = (first[0] ?? {}) as { port?: number };
  if (port === undefined) throw new Error('The weak model did not start: run `npm run proofs:model`, which fetches it');
  return {
    url: `http://127.0.0.1:${port}/v1`,
    async close() {
      child.disconnect();
      await ended;
    },
  };
}
