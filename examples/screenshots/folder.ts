import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readdir, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The folder with the seven pictures, as seen from here or from the compiled file in dist/. */
function originals(): string {
  const places = [join(__dirname, 'screenshots'), join(__dirname, '../../../examples/screenshots/screenshots')];
  const found = places.find((place) => existsSync(place));
  if (found === undefined) throw new Error(`The screenshots are missing; looked in ${places.join(' and ')}`);
  return found;
}

/** Makes a new folder with copies of the seven screenshots, so that no run ever touches the originals. */
export async function freshFolder(): Promise<string> {
  const source = originals();
  // The real path, since the servers compare real paths and the temporary folder of a Mac is a link.
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'holdfast-screenshots-'));
  for (const name of await listFolder(source)) await copyFile(join(source, name), join(folder, name));
  return folder;
}

/** The sorted names of the files in a folder, without hidden ones. */
export async function listFolder(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .sort();
}
