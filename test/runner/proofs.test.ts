import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../sources';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'holdfast-proofs-test-'));
  mkdirSync(join(dir, 'node_modules/jest/bin'), { recursive: true });
});
afterEach(() => rmSync(dir, { recursive: true }));

const ALONE = '-c jest.alone.config.js --passWithNoTests';
const BESIDE = '-c jest.long.config.js --passWithNoTests';

/**
 * Runs the proofs with a Jest that tells its arguments and the minutes that it has, has no time for these files (a list for
 * each time that it is called), and ends with these codes.
 */
function proofs(args: string[], { left = [] as string[][], codes = [] as number[] } = {}) {
  const script = `
    const { existsSync, readFileSync, writeFileSync } = require('node:fs');
    const n = existsSync('calls') ? Number(readFileSync('calls', 'utf8')) : 0;
    writeFileSync('calls', String(n + 1));
    const { HOLDFAST_PROOFS_UNTIL: until, HOLDFAST_PROOFS_DRAW: draw, HOLDFAST_PROOFS_LEFT: list } = process.env;
    const left = ${JSON.stringify(left)}[n];
    if (left !== undefined) writeFileSync(list, JSON.stringify(left));
    const minutes = until === undefined ? 'no limit' : Math.round((until - Date.now()) / 60_000) + ' minutes';
    console.log(['jest', ...process.argv.slice(2), '|', minutes, draw ?? ''].join(' ').trim());
    process.exitCode = ${JSON.stringify(codes)}[n] ?? 0;
  `;
  writeFileSync(join(dir, 'node_modules/jest/bin/jest.js'), script);
  const { HOLDFAST_PROOFS_UNTIL: _, HOLDFAST_PROOFS_LEFT: __, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'test/runner/proofs.mjs'), ...args], {
    cwd: dir,
    encoding: 'utf8',
    env: { ...env, HOLDFAST_PROOFS_DRAW: '7' },
  });
  return { status, ran: stdout.split('\n').filter((line) => line.startsWith('jest ')), stderr };
}

it('without a limit runs all, and those that run alone after the others', () => {
  expect(proofs(['a', '-t', 'x'])).toEqual({
    status: 0,
    ran: [`jest ${BESIDE} a -t x | no limit 7`, `jest ${ALONE} a -t x | no limit 7`],
    stderr: '',
  });
});

it('within a limit has a quarter of the time for those that run alone, which come first', () => {
  expect(proofs(['--minutes', '40', 'a'])).toEqual({
    status: 0,
    ran: [`jest ${ALONE} a | 10 minutes 7`, `jest ${BESIDE} a | 40 minutes 7`],
    stderr: '',
  });
});

it('gives what is left of the time to those that run alone, and names what it has not begun', () => {
  const left = [['test/a.alone.ts', 'test/b.alone.ts'], ['test/c.long.ts'], ['test/b.alone.ts']];
  expect(proofs(['--minutes', '40'], { left })).toEqual({
    status: 0,
    ran: [
      `jest ${ALONE} | 10 minutes 7`,
      `jest ${BESIDE} | 40 minutes 7`,
      `jest ${ALONE} --runTestsByPath test/a.alone.ts test/b.alone.ts | 40 minutes 7`,
    ],
    stderr: '\nNot begun, for lack of time (2):\n  test/b.alone.ts\n  test/c.long.ts\n',
  });
});

it.each([
  ['first', [1]],
  ['second', [0, 1]],
  ['third', [0, 0, 1]],
])('fails if its %s part fails, and still runs the other parts', (_, codes) => {
  const { status, ran } = proofs(['--minutes', '40'], { left: [['a.alone.ts']], codes });
  expect([status, ran.length]).toEqual([1, 3]);
});

it('says what is wrong with a limit', () => {
  expect(proofs(['--minutes', 'ten'])).toMatchObject({
    status: 2,
    ran: [],
    stderr: "--minutes needs a number of minutes, not 'ten'.\n",
  });
});
