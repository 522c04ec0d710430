import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * `npm run proofs [-- [--minutes <n>] <files and options of Jest>]`: all proofs, or those of these files. After so many
 * minutes no further file begins; those are named. Then each hour draws other files to begin with, and a quarter of the
 * time is for those that run alone, which come first; what is left of the time after the others is theirs, too.
 * `HOLDFAST_PROOFS_DRAW=<n>` repeats a draw.
 */
const args = process.argv.slice(2);
const at = args.indexOf('--minutes');
const limit = at < 0 ? undefined : minutes(args.splice(at, 2)[1]);
const draw = process.env.HOLDFAST_PROOFS_DRAW ?? String(Math.floor(Date.now() / 3_600_000));

const BESIDE = 'jest.long.config.js';
const ALONE = 'jest.alone.config.js';

/** 14 files of 110 run alone, one at a time instead of two: their turns come about as often as those of the others. */
const SHARE = 1 / 4;

if (limit === undefined) process.exitCode = Math.max(run(BESIDE, args), run(ALONE, args));
else process.exitCode = inTime(limit);

/** Returns the worst status. */
function inTime(limit) {
  console.log(`The order of the proofs is HOLDFAST_PROOFS_DRAW=${draw}.`);
  const begin = Date.now();
  const dir = mkdtempSync(join(tmpdir(), 'holdfast-proofs-'));
  const statuses = [];
  /** Returns the files that it has not begun. */
  const until = (share, config, files) => {
    const left = join(dir, String(statuses.length));
    const end = String(begin + share * limit * 60_000);
    statuses.push(
      run(config, files, { HOLDFAST_PROOFS_UNTIL: end, HOLDFAST_PROOFS_DRAW: draw, HOLDFAST_PROOFS_LEFT: left }),
    );
    return existsSync(left) ? JSON.parse(readFileSync(left, 'utf8')) : [];
  };
  try {
    const alone = until(SHARE, ALONE, args);
    const beside = until(1, BESIDE, args);
    // Without the options that were given: some of them choose files.
    const rest = alone.length === 0 ? [] : until(1, ALONE, ['--runTestsByPath', ...alone]);
    const left = [...beside, ...rest].sort();
    if (left.length > 0)
      console.error(`\nNot begun, for lack of time (${left.length}):\n${left.map((name) => `  ${name}`).join('\n')}`);
    return Math.max(...statuses);
  } finally {
    rmSync(dir, { recursive: true });
  }
}

function run(config, files, env = {}) {
  const jest = ['node_modules/jest/bin/jest.js', '-c', config, '--passWithNoTests', ...files];
  return spawnSync(process.execPath, jest, { stdio: 'inherit', env: { ...process.env, ...env } }).status ?? 1;
}

function minutes(given = '') {
  const number = Number(given);
  if (given !== '' && !Number.isNaN(number)) return number;
  console.error(`--minutes needs a number of minutes, not '${given}'.`);
  process.exit(2);
}
