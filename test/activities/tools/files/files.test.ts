import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { runFileTool } from '../../../../activities/tools/files';
import type { JsonObject } from '../../../../agent/values/json';

let base: string;
let root: string;
beforeEach(() => {
  base = mkdtempSync(join(realpathSync(tmpdir()), 'holdfast-files-'));
  root = join(base, 'root');
  mkdirSync(join(root, 'sub'), { recursive: true });
  mkdirSync(join(base, 'outside'));
  writeFileSync(join(base, 'outside', 'secret.txt'), 'SECRET');
  writeFileSync(join(root, 'a.txt'), 'hello');
  writeFileSync(join(root, 'sub', 'b.txt'), 'world');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const text = async (name: string, input: { path?: unknown; offset?: unknown }) => {
  const [part] = await runFileTool(root, name, input as JsonObject);
  return part?.type === 'text' ? part.text : `[${part?.mediaType}]`;
};
const read = (path: string, offset?: number) =>
  text('read_file', { path, ...(offset === undefined ? {} : { offset }) });

test('lists folders and reads files, by relative and absolute paths', async () => {
  expect(await text('list_directory', {})).toBe('a.txt (5 bytes)\nsub/');
  expect(await text('list_directory', { path: 'sub' })).toBe('b.txt (5 bytes)');
  expect(await read('sub/b.txt')).toBe('world');
  expect(await read(join(root, 'a.txt'))).toBe('hello');
  expect(await read('sub/../a.txt')).toBe('hello');
});

test.each([
  '../outside/secret.txt',
  '/etc/passwd',
  'sub/../../outside/secret.txt',
  '..',
  '../root2',
  'link/secret.txt',
  'file-link',
])('refuses %s', async (path) => {
  symlinkSync(join(base, 'outside'), join(root, 'link'));
  symlinkSync(join(base, 'outside', 'secret.txt'), join(root, 'file-link'));
  mkdirSync(join(base, 'root2'));
  await expect(read(path)).rejects.toMatchObject({ name: 'PathRefused' });
  await expect(text('list_directory', { path })).rejects.toMatchObject({ name: 'PathRefused' });
});

test('a link inside the root may be followed, and is listed as one', async () => {
  symlinkSync(join(root, 'sub'), join(root, 'alias'));
  expect(await read('alias/b.txt')).toBe('world');
  expect(await text('list_directory', {})).toContain('alias (link)');
});

test('says what is wrong: missing, a folder, a file, binary, a pipe', async () => {
  writeFileSync(join(root, 'bin'), Buffer.from([1, 0, 2]));
  execFileSync('mkfifo', [join(root, 'pipe')]);
  await expect(read('nope.txt')).rejects.toThrow('There is no `nope.txt`');
  await expect(read('sub')).rejects.toThrow('list_directory');
  await expect(text('list_directory', { path: 'a.txt' })).rejects.toThrow('read_file');
  await expect(read('bin')).rejects.toThrow('binary file of 3 bytes');
  await expect(read('pipe')).rejects.toThrow('neither a file nor a folder');
});

test('gives a long file in pieces that together are the file, whatever characters it has', async () => {
  const whole = 'aé€😀'.repeat(70_000);
  writeFileSync(join(root, 'long.txt'), whole);
  let got = '';
  for (let offset = 0; ; ) {
    const piece = await read('long.txt', offset);
    const next = /\n\[cut: .*continue with offset (\d+)\]$/.exec(piece);
    got += next === null ? piece : piece.slice(0, next.index);
    if (next === null) break;
    offset = Number(next[1]);
  }
  expect(got === whole).toBe(true);
});

test.each([1.5, -1, Number.NaN, Number.POSITIVE_INFINITY, -0.5, '3', true, [0]])(
  'refuses the offset %p and says which to give',
  async (offset) => {
    const told = text('read_file', { path: 'a.txt', offset });
    await expect(told).rejects.toMatchObject({ name: 'PathRefused' });
    await expect(told).rejects.toThrow(
      /^Expected `offset` to be a whole number of bytes from 0, got `.*`\. Leave it out/,
    );
  },
);

test.each([5, 6, 2 ** 31, Number.MAX_SAFE_INTEGER, 1e300])(
  'says that nothing is left from offset %p on',
  async (offset) => {
    await expect(read('a.txt', offset)).rejects.toThrow('`a.txt` has 5 bytes: there is nothing from offset');
  },
);

test('an empty file is read as one, and an invalid path is refused', async () => {
  writeFileSync(join(root, 'empty'), '');
  expect(await read('empty', 0)).toBe('(empty file)');
  expect(await text('read_file', { path: 'a.txt', offset: null })).toBe('hello');
  for (const path of [5, true, ['a.txt'], {}]) {
    await expect(text('read_file', { path })).rejects.toThrow('Expected `path` to be a string');
  }
});

test('an entry is one line, whatever its name, and the shown name opens it', async () => {
  const names = [
    'plain name.txt',
    'a\nb',
    'tab\tbed',
    'esc\x1b[2J',
    'turned\u202ecod',
    'zero\u200bwidth',
    'c1\u009b31m',
    'line\u2028feed',
    '"quoted"',
    "it's",
    'back\\slash',
    ' leads',
    'trails ',
    'a.txt (5 bytes)',
    '[cut: the first 1 of 2 entries are shown]',
    '(empty folder)',
    'emoji 👩‍💻',
    'ü€😀',
    'ends"',
    'sub"dir"',
  ];
  rmSync(join(root, 'a.txt'));
  rmSync(join(root, 'sub'), { recursive: true });
  for (const name of names) {
    mkdirSync(join(root, `in ${name}`));
    writeFileSync(join(root, `in ${name}`, name), `this is ${name}`);
  }
  const folders = (await text('list_directory', {})).split('\n');
  expect(folders).toHaveLength(names.length);
  const seen: string[] = [];
  for (const folder of folders) {
    expect(folder).toMatch(/^\P{Cc}*\/$/u);
    const file = await text('list_directory', { path: folder });
    expect(file).toMatch(/^[^\u200b\u202e\u2028\p{Cc}]* \(\d+ bytes\)$/u);
    seen.push(await read(`${folder}${file.replace(/ \(\d+ bytes\)$/, '')}`));
  }
  expect(seen.sort()).toEqual(names.map((name) => `this is ${name}`).sort());
});

test('a name that is shown as JSON leads outside no more than any other', async () => {
  for (const path of [
    '"../outside/secret.txt"',
    '"..\\u002foutside"/secret.txt',
    '"sub/../.."/"outside"/"secret.txt"',
    '"a\\u0000b"',
  ]) {
    await expect(read(path)).rejects.toMatchObject({ name: 'PathRefused' });
  }
  expect(await read('"a.txt"')).toBe('hello');
  await expect(read('"broken\\x"')).rejects.toThrow('There is no');
});

test('a name that is not UTF-8 is listed, with a note', async () => {
  writeFileSync(Buffer.concat([Buffer.from(`${root}/bad-`), Buffer.from([0xff])]), 'x');
  expect(await text('list_directory', {})).toContain('bad-\ufffd (its name is not UTF-8, it cannot be opened)');
});

test('shows an image as a part', async () => {
  writeFileSync(join(root, 'p.png'), Buffer.from('89504e470d0a1a0a', 'hex'));
  expect(await read('p.png')).toBe('[image/png]');
});

test('no path of any shape reaches the secret', async () => {
  symlinkSync('..', join(root, 'up'));
  const piece = fc.constantFrom(
    '..',
    '.',
    'sub',
    'up',
    'outside',
    'secret.txt',
    'root',
    'a.txt',
    '',
    '//',
    '\0',
    '~',
    '%2e%2e',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 8 }), fc.boolean(), async (pieces, absolute) => {
      const path = (absolute ? `${root}/` : '') + pieces.join('/');
      for (const tool of ['read_file', 'list_directory']) {
        const got = await text(tool, { path }).catch((error: Error) => error.name);
        expect(got).not.toContain('SECRET');
        expect(got).not.toMatch(/secret\.txt \(/);
      }
    }),
    { numRuns: 500 },
  );
});

test('a folder that is repeatedly swapped for a link while it is read reveals nothing', async () => {
  const swap = new Worker(
    `const fs = require('node:fs'); const { root, outside } = require('node:worker_threads').workerData;
     fs.symlinkSync(outside, root + '/swap-link'); fs.mkdirSync(root + '/swap-dir'); fs.writeFileSync(root + '/swap-dir/secret.txt', 'fine');
     require('node:worker_threads').parentPort.postMessage('ready');
     for (;;) { fs.renameSync(root + '/swap-dir', root + '/d'); fs.renameSync(root + '/d', root + '/swap-dir');
       fs.renameSync(root + '/swap-link', root + '/d'); fs.renameSync(root + '/d', root + '/swap-link'); }`,
    { eval: true, workerData: { root, outside: join(base, 'outside') } },
  );
  await new Promise((ready) => swap.once('message', ready));
  const seen = new Map<string, number>();
  for (let i = 0; i < 600; i++) {
    const got = await read('d/secret.txt').catch((error: Error) => error.name);
    seen.set(got, (seen.get(got) ?? 0) + 1);
  }
  await swap.terminate();
  expect([...seen.keys()].filter((key) => key !== 'fine' && key !== 'PathRefused')).toEqual([]);
  expect(seen.get('PathRefused')).toBeGreaterThan(0);
  renameSync(join(root, 'a.txt'), join(root, 'still-here.txt'));
});
