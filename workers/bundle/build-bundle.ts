import { writeFile } from 'node:fs/promises';
import { warn } from '../../runtime/print';
import { BUNDLE_PATH, makeBundle } from './bundle';

makeBundle()
  .then(({ code }) => writeFile(BUNDLE_PATH, code))
  .catch((error: unknown) => {
    const problem = error instanceof Error ? error.message : String(error);
    warn(...`The workflow bundle could not be built: ${problem}`.split('\n'));
    process.exitCode = 1;
  });
