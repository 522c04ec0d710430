import { spawnSync } from 'node:child_process';

/** `npm run proofs [-- <files and options of Jest>]`: all proofs, or those of these files. */
const statuses = ['jest.long.config.js', 'jest.alone.config.js'].map((config) => {
  const args = ['node_modules/jest/bin/jest.js', '-c', config, '--passWithNoTests', ...process.argv.slice(2)];
  return spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1;
});
process.exitCode = Math.max(...statuses);
