import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JsonObject } from '../../../agent/values/json';
import type { ModelReply } from '../../kit/model-reply';
import { call, calls } from '../../kit/scripted-model';
import { DONE, type FileInput } from './input';

const SECRET = 'the secret of another folder';
/** The text of a file, or a refusal: never the secret. */
const REFUSED = /^ToolFailed: (?!.*the secret of)/s;

const file = (
  name: string,
  does: string,
  args: JsonObject,
  told: RegExp,
  prepare: FileInput['prepare'],
  more: Partial<FileInput> = {},
): FileInput => ({
  name,
  does,
  script: [call('read_file', args)],
  told: [told],
  end: { data: DONE },
  prepare: (folder, outside) => {
    writeFileSync(join(outside, 'secret'), SECRET);
    return prepare(folder, outside);
  },
  ...more,
});
const nothing = () => undefined;

export const FILES: readonly FileInput[] = [
  file(
    'names',
    'has names with line breaks, escape sequences and characters that reverse text',
    {},
    /^(?!.*forged \(9 bytes\)$)/m,
    (folder) => {
      for (const name of ['a\nforged (9 bytes)', 'b\u001b[2Jc', 'd\u202etxt.exe', 'e\u009b2Jf', 'g\rh'])
        writeFileSync(join(folder, name), '');
    },
    { script: [call('list_directory', {})], quick: true, told: [/^[\P{C}\n]*$/u] },
  ),
  file(
    'link',
    'has a link that leads out of the folder',
    { path: 'link' },
    REFUSED,
    (folder, outside) => symlinkSync(join(outside, 'secret'), join(folder, 'link')),
    { quick: true },
  ),
  file('linked-folder', 'has a link to a neighbouring folder', { path: 'up/secret' }, REFUSED, (folder, outside) =>
    symlinkSync(outside, join(folder, 'up')),
  ),
  file('dots', 'is asked for paths above it', {}, REFUSED, nothing, {
    script: [
      calls(
        ['read_file', { path: '../outside/secret' }],
        ['read_file', { path: 'a/../../outside/secret' }],
        ['read_file', { path: '/etc/passwd' }],
        ['read_file', { path: '/proc/self/environ' }],
        ['list_directory', { path: '..' }],
        ['read_file', { path: 'a\u0000b' }],
        ['read_file', { path: 'x/'.repeat(20_000) }],
      ),
    ],
    told: Array.from({ length: 7 }, () => REFUSED),
  }),
  file(
    'pipe',
    'has a pipe without a writer',
    { path: 'pipe' },
    REFUSED,
    (folder) => void execFileSync('mkfifo', [join(folder, 'pipe')]),
  ),
  file(
    'device',
    'has links to devices',
    {},
    REFUSED,
    (folder) => {
      symlinkSync('/dev/zero', join(folder, 'zero'));
      symlinkSync('/dev/tty', join(folder, 'tty'));
      symlinkSync('zwei', join(folder, 'eins'));
      symlinkSync('eins', join(folder, 'zwei'));
    },
    {
      script: [calls(['read_file', { path: 'zero' }], ['read_file', { path: 'tty' }], ['read_file', { path: 'eins' }])],
      told: Array.from({ length: 3 }, () => REFUSED),
    },
  ),
  file(
    'sparse',
    'has a file of 5 GB',
    {},
    /./,
    (folder) => {
      writeFileSync(join(folder, 'sparse'), '');
      truncateSync(join(folder, 'sparse'), 5 * 1024 ** 3);
    },
    {
      script: [
        calls(
          ['read_file', { path: 'sparse' }],
          ['read_file', { path: 'sparse', offset: 2 ** 32 + 7 }],
          ['read_file', { path: 'sparse', offset: 2 ** 53 }],
        ),
      ],
      told: [REFUSED, REFUSED, /empty|offset|ToolFailed/],
    },
  ),
  file(
    'crowd',
    'has 50,000 entries',
    {},
    /the first 1000 of 50000 entries/,
    async (folder) => {
      for (let i = 0; i < 50_000; i += 200) {
        await Promise.all(Array.from({ length: 200 }, (_, j) => writeFile(join(folder, `f${i + j}`), '')));
      }
    },
    { script: [call('list_directory', {})] },
  ),
  file(
    'offsets',
    'is read at offsets that do not exist',
    {},
    /^(InvalidArguments|ToolFailed): /,
    (folder) => writeFileSync(join(folder, 'a'), 'hello'),
    {
      script: [
        calls(
          ['read_file', { path: 'a', offset: 1.5 }],
          ['read_file', { path: 'a', offset: -1 }],
          ['read_file', { path: 'a', offset: 1e308 }],
          ['read_file', '{"path":"a","offset":1e999}'],
        ),
      ],
      told: [
        /^(InvalidArguments|ToolFailed): /,
        /^InvalidArguments: /,
        /^(InvalidArguments|ToolFailed): |empty|offset/,
        /./,
      ],
    },
  ),
  file('swap', 'becomes a link during a read', {}, /./, (folder) => writeFileSync(join(folder, 'a'), 'hello'), {
    script: readsOf('a'),
    told: Array.from({ length: 60 }, () => /^(?!.*secret)/s),
    async meanwhile(folder, outside, signal) {
      const [a, plain, link] = ['a', 'plain', 'link'].map((name) => join(folder, name)) as [string, string, string];
      while (!signal.aborted) {
        symlinkSync(join(outside, 'secret'), link);
        renameSync(link, a);
        await nextTurn();
        writeFileSync(plain, 'hello');
        renameSync(plain, a);
        await nextTurn();
      }
    },
  }),
  file(
    'swapped-folder',
    'has a folder that becomes a link while it is read',
    {},
    /./,
    (folder) => {
      mkdirSync(join(folder, 'b'));
      writeFileSync(join(folder, 'b', 'secret'), 'hello');
    },
    {
      script: readsOf('b/secret'),
      told: Array.from({ length: 60 }, () => /^(?!.*the secret of)/s),
      async meanwhile(folder, outside, signal) {
        const [b, kept] = [join(folder, 'b'), join(folder, 'kept')];
        while (!signal.aborted) {
          renameSync(b, kept);
          symlinkSync(outside, b);
          await nextTurn();
          rmSync(b);
          renameSync(kept, b);
          await nextTurn();
        }
      },
    },
  ),
  file('binary', 'has bytes of all kinds', { path: 'binary' }, REFUSED, (folder) =>
    writeFileSync(join(folder, 'binary'), Buffer.from(Array.from({ length: 4096 }, (_, i) => i % 256))),
  ),
  file('invalid-utf8', 'has bytes that are not UTF-8', { path: 'text' }, /^a\ufffd+b$/, (folder) =>
    writeFileSync(join(folder, 'text'), Buffer.from([0x61, 0xff, 0xfe, 0xc3, 0x62])),
  ),
];

/** Sixty reads of one file, each under a path of its own: calls that are equal and fail too often are not run. */
function readsOf(path: string): ModelReply[] {
  return [0, 20, 40].map((from) =>
    calls(
      ...Array.from({ length: 20 }, (_, i): [string, JsonObject] => [
        'read_file',
        { path: './'.repeat(from + i) + path },
      ]),
    ),
  );
}
