import { spawnSync } from 'node:child_process';

/**
 * `npm run proofs [-- [--minutes <n>] <files and options of Jest>]`: all proofs, or those of these files. After so many
 * minutes no further file begins; those are named.
 */
const args = process.argv.slice(2);
const env = { ...process.env };
const at = args.indexOf('--minutes');
if (at >= 0) {
  const [, given = ''] = args.splice(at, 2);
  const minutes = Number(given);
  if (given === '' || Number.isNaN(minutes)) {
    console.error(`--minutes needs a number of minutes, not '${given}'.`);
    process.exit(2);
  }
  env.HOLDFAST_PROOFS_UNTIL = String(Date.now() + minutes * 60_000);
}
const statuses = ['jest.long.config.js', 'jest.alone.config.js'].map((config) => {
  const jest = ['node_modules/jest/bin/jest.js', '-c', config, '--passWithNoTests', ...args];
  return spawnSync(process.execPath, jest, { stdio: 'inherit', env }).status ?? 1;
});
process.exitCode = Math.max(...statuses);
