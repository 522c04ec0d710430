import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fetchFolder } from '../../runtime/binaries/fetch-folder';
import { WEAK_MODEL, weakModelFolder } from './folder';

/** `npm run proofs:model`: fetches the weak model where it is missing, then runs the proofs that talk to it. */
async function main(): Promise<void> {
  const folder = weakModelFolder();
  if (!existsSync(folder)) {
    process.stderr.write(`Fetching a weak model into ${folder}\n`);
    await fetchFolder(folder, WEAK_MODEL);
  }
  const args = ['node_modules/jest/bin/jest.js', '-c', 'jest.model.config.js', ...process.argv.slice(2)];
  process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1;
}

main().catch((error: Error) => {
  process.stderr.write(`The weak model could not be fetched: ${error.message}\n`);
  process.exitCode = 1;
});
