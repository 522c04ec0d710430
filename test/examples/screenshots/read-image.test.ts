import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freshFolder } from '../../../examples/screenshots/folder';
import { createImageReader } from '../../../examples/screenshots/read-image';
import { append, ask, FOLDER, start } from './desk';
import { EXPECTED } from './expected-names';

const reader = createImageReader();
let folder = '';
beforeAll(async () => {
  folder = await freshFolder();
});
afterAll(async () => {
  await reader.close();
  await rm(folder, { recursive: true });
});

test.each(Object.entries(EXPECTED))('what OCR reads in %s makes the name %s', async (from, to) => {
  const text = await reader.read(join(folder, from));
  const messages = start();
  append(messages, ask(messages), () => `[FILE] ${from}`);
  append(messages, ask(messages), () => text);
  expect(ask(messages).calls?.map(({ arguments: args }) => args)).toEqual([
    { source: join(FOLDER, from), destination: join(FOLDER, to) },
  ]);
  // It reads more than the title: the picture is a page of text. Window buttons are not part of it.
  expect(text.split('\n').length).toBeGreaterThanOrEqual(5);
  expect(text).not.toMatch(/LEN|Xx/);
});

test('pictures that are requested at the same time are read one after the other', async () => {
  const names = Object.keys(EXPECTED).slice(0, 3);
  const texts = await Promise.all(names.map((name) => reader.read(join(folder, name))));
  expect(texts.map((text) => text.split('\n')[0])).toEqual([
    'Meeting Notes',
    expect.stringMatching(/^Invoice 20417/),
    'Boarding Pass Lisbon to Oslo',
  ]);
});

test('a file that is not a picture is refused with one line that says so', async () => {
  const text = join(folder, 'text.png');
  await writeFile(text, 'just words');
  await expect(reader.read(text)).rejects.toThrow('it is not a picture (PNG, JPEG, BMP or WebP)');
  await expect(reader.read(folder)).rejects.toThrow('it is not a file');
  await expect(reader.read(join(folder, 'none.png'))).rejects.toThrow('there is no such file');
});

test('a damaged picture fails alone: the next one is read', async () => {
  const whole = join(folder, Object.keys(EXPECTED)[0] as string);
  const damaged = join(folder, 'damaged.png');
  const bytes = await readFile(whole);
  await writeFile(damaged, bytes.fill(0, 40, 20_000));
  const [broken, next] = await Promise.allSettled([reader.read(damaged), reader.read(whole)]);
  expect(broken).toMatchObject({
    status: 'rejected',
    reason: { message: expect.stringMatching(/^the picture is damaged/) },
  });
  expect(next).toMatchObject({ status: 'fulfilled', value: expect.stringMatching(/^Meeting Notes\n/) });
});

test('a closed reader reads nothing', async () => {
  const closed = createImageReader();
  await closed.close();
  const path = join(folder, Object.keys(EXPECTED)[0] as string);
  await expect(closed.read(path)).rejects.toThrow('the OCR engine was closed');
});
