import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';

/** A rename that reached the file server, by names. */
export interface Rename {
  from: string;
  to: string;
}

/** Forgets the calls so far. */
export function resetCalls(file: string): Promise<void> {
  return writeFile(file, '');
}

/** The renames that reached the file server, in order. It is count-calls.mjs that notes them, not the agent. */
export async function renamesIn(file: string): Promise<Rename[]> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
  const calls = lines.map((line) => JSON.parse(line) as { tool: string; source?: string; destination?: string });
  return calls
    .filter(({ tool }) => tool === 'move_file')
    .map(({ source = '', destination = '' }) => ({ from: basename(source), to: basename(destination) }));
}
