import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { FolderStore } from '../../../runtime/storage/folder-store';
import { MAX_OBJECT } from '../../../runtime/storage/object-store';
import { Place } from '../../storage/place';

const KEY = 'ab'.repeat(32);
const place = new Place();
let folder: string;
let store: FolderStore;
beforeEach(async () => {
  folder = join(place.dir, Math.random().toString(36).slice(2), 'payloads');
  store = new FolderStore(folder);
  await store.open();
});

const path = (key: string) => join(folder, key.slice(0, 2), key);

it('makes its folder, and gives back what was written', async () => {
  await store.put(KEY, Buffer.from('x'));
  expect(Buffer.from((await store.get(KEY)) ?? []).toString()).toBe('x');
  expect(await store.get('cd'.repeat(32))).toBeUndefined();
});

it('writes an object once, and counts it as new when it is written again', async () => {
  await store.put(KEY, Buffer.from('x'));
  const { ino } = statSync(path(KEY));
  utimesSync(path(KEY), 1000, 1000);
  await store.put(KEY, Buffer.from('x'));
  expect(statSync(path(KEY))).toMatchObject({ ino, mtimeMs: expect.any(Number) });
  expect(statSync(path(KEY)).mtimeMs).toBeGreaterThan(1_000_000);
});

it('leaves one whole object when many write it at once', async () => {
  const bytes = Buffer.alloc(300_000, 7);
  await Promise.all(Array.from({ length: 20 }, () => store.put(KEY, bytes)));
  expect(readdirSync(join(folder, 'ab'))).toEqual([KEY]);
  expect(readFileSync(path(KEY)).equals(bytes)).toBe(true);
});

it('lists and removes a folder in a part of its own', async () => {
  const part = new FolderStore(folder, 'archive');
  await part.put('abc/ends/1', Buffer.from('x'));
  await part.put('abc/ends/2', Buffer.from('x'));
  await part.put('abcd/facts', Buffer.from('x'));
  expect((await part.list('abc/ends')).sort()).toEqual(['1', '2']);
  expect(await part.list('abc')).toEqual(['ends']);
  expect(await part.list('none')).toEqual([]);
  expect(await store.list('abc')).toEqual([]);
  await part.remove('none');
  await part.remove('abc');
  expect(await part.list('abc')).toEqual([]);
  expect(await part.list('abcd')).toEqual(['facts']);
});

it('never reads what a process that died has left unfinished', async () => {
  mkdirSync(join(folder, 'ab'));
  writeFileSync(`${path(KEY)}.5e1b2a9e-0000-4000-8000-000000000000`, 'half');
  expect(await store.get(KEY)).toBeUndefined();
  await store.put(KEY, Buffer.from('whole'));
  expect(Buffer.from((await store.get(KEY)) ?? []).toString()).toBe('whole');
});

it('tells a folder that is away from an object that it does not have, and writes nothing in its place', async () => {
  renameSync(folder, `${folder}-away`);
  mkdirSync(folder);
  await expect(store.get(KEY)).rejects.toThrow('it was moved, or it is not mounted');
  await expect(store.put(KEY, Buffer.from('x'))).rejects.toThrow('it was moved, or it is not mounted');
  expect(readdirSync(folder)).toEqual([]);
});

it('does not read a file that nothing has written by it', async () => {
  await store.put(KEY, Buffer.from('x'));
  truncateSync(path(KEY), MAX_OBJECT + 1);
  expect(await store.get(KEY)).toBeUndefined();
});
