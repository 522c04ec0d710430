import { writeFile } from 'node:fs/promises';
import { BUNDLE_PATH, makeBundle } from './bundle';

makeBundle()
  .then(({ code }) => writeFile(BUNDLE_PATH, code))
  .catch((error: unknown) => {
    process.stderr.write(`The workflow bundle could not be built: ${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  });
