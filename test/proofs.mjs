import { spawnSync } from 'node:child_process';

/**
 * `npm run proofs [-- [--minutes <n>] <files and options of Jest>]`: all proofs, or those of these files. After so many
 * minutes no further file begins; those are named. Then each hour draws other files to begin with;
 * `HOLDFAST_PROOFS_DRAW=<n>` repeats a draw.
 */
const args = process.argv.slice(2);
const at = args.indexOf('--minutes');
const limit = at < 0 ? undefined : minutes(args.splice(at, 2)[1]);
const draw = process.env.HOLDFAST_PROOFS_DRAW ?? String(Math.floor(Date.now() / 3_600_000));
if (limit !== undefined) console.log(`The order of the proofs is HOLDFAST_PROOFS_DRAW=${draw}.`);

const begin = Date.now();
process.exitCode = Math.max(...['jest.long.config.js', 'jest.alone.config.js'].map(run));

function run(config) {
  const jest = ['node_modules/jest/bin/jest.js', '-c', config, '--passWithNoTests', ...args];
  const drawn =
    limit === undefined ? {} : { HOLDFAST_PROOFS_UNTIL: String(begin + limit * 60_000), HOLDFAST_PROOFS_DRAW: draw };
  return spawnSync(process.execPath, jest, { stdio: 'inherit', env: { ...process.env, ...drawn } }).status ?? 1;
}

function minutes(given = '') {
  const number = Number(given);
  if (given !== '' && !Number.isNaN(number)) return number;
  console.error(`--minutes needs a number of minutes, not '${given}'.`);
  process.exit(2);
}
