import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of this example, as seen from here or from the compiled file in dist/. */
function ownFolder(name: 'screenshots' | 'work'): string {
  const places = [join(__dirname, name), join(__dirname, '../../../examples/screenshots', name)];
  const found = places.find((place) => existsSync(place));
  if (found === undefined) throw new Error(`A folder of the example is missing; looked in ${places.join(' and ')}`);
  return found;
}

/** Makes a new folder with copies of the seven screenshots, so that no run ever touches the originals. */
export async function freshFolder(): Promise<string> {
  // The real path, since the servers compare real paths and the temporary folder of a Mac is a link.
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'holdfast-screenshots-'));
  await copyInto(folder);
  return folder;
}

/** Fills the folder that the servers of temporal.yaml may change with fresh copies, in place of those of the last time. */
export async function refillWorkFolder(): Promise<string> {
  const folder = await realpath(ownFolder('work'));
  await refill(folder);
  return folder;
}

/** Fills a folder with fresh copies of the seven screenshots, in place of the files in it. */
export async function refill(folder: string): Promise<void> {
  for (const name of await listFolder(folder)) await rm(join(folder, name));
  await copyInto(folder);
}

async function copyInto(folder: string): Promise<void> {
  const source = ownFolder('screenshots');
  for (const name of await listFolder(source)) await copyFile(join(source, name), join(folder, name));
}

/** The sorted names of the files in a folder, without hidden ones. */
export async function listFolder(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .sort();
}
