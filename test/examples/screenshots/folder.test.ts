import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freshFolder, listFolder } from '../../../examples/screenshots/folder';
import { EXPECTED } from './expected-names';

const ORIGINALS = join(__dirname, '../../../examples/screenshots/screenshots');
const made: string[] = [];
const fresh = async () => {
  const folder = await freshFolder();
  made.push(folder);
  return folder;
};
afterAll(() => Promise.all(made.map((folder) => rm(folder, { recursive: true }))));

test('every fresh folder is new and has the seven screenshots', async () => {
  const folders = [await fresh(), await fresh()];
  expect(new Set(folders).size).toBe(2);
  for (const folder of folders) expect(await listFolder(folder)).toEqual(Object.keys(EXPECTED));
});

test('changes in a fresh folder do not affect the originals', async () => {
  const folder = await fresh();
  const [name] = (await listFolder(folder)) as [string];
  const before = await readFile(join(ORIGINALS, name));
  await writeFile(join(folder, name), 'overwritten');
  await rm(join(folder, (await listFolder(folder))[1] as string));
  expect(await readFile(join(ORIGINALS, name))).toEqual(before);
  expect(await listFolder(ORIGINALS)).toEqual(Object.keys(EXPECTED));
});

test('a listing leaves out hidden files and folders', async () => {
  const folder = await fresh();
  await writeFile(join(folder, '.DS_Store'), '');
  expect(await listFolder(folder)).toHaveLength(7);
});

test('each screenshot is a PNG of 800 by 500 under 60 KB', async () => {
  for (const name of Object.keys(EXPECTED)) {
    const bytes = await readFile(join(ORIGINALS, name));
    expect(bytes.toString('latin1', 1, 4)).toBe('PNG');
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([800, 500]);
    expect(bytes.length).toBeLessThan(60 * 1024);
  }
});
