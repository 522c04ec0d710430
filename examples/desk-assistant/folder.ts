import { mkdtemp, readdir, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PAPERS = {
  'IMG_2231.txt': 'Plum cake\n2 April 2026\nA pound of plums, four eggs, butter, flour, and an hour in the oven.',
  'New document (3).txt': 'Weekly meeting\n16 March 2026\nTom repairs the window. Ann asks for a second printer.',
  'scan0001.txt': 'Invoice 20417\n12 March 2026\nLamp & Co: two lamps, 80.00, to be paid within 30 days.',
};

/** Makes a new folder with three papers with meaningless names. */
export async function newFolder(): Promise<string> {
  // The real path, since the server compares real paths and the temporary folder of a Mac is a link.
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'holdfast-desk-'));
  for (const [name, text] of Object.entries(PAPERS)) await writeFile(join(folder, name), `${text}\n`);
  return folder;
}

/** The names of the files in a folder, on one line. */
export async function listFolder(folder: string): Promise<string> {
  return (await readdir(folder)).sort().join(' | ');
}
