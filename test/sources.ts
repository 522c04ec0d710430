import { dirname, join } from 'node:path';

/** The top of the repository. */
export const ROOT = join(__dirname, '..');

/** Runs a source of this repository: `node RUN_TS file.ts …`. */
export const RUN_TS = join(__dirname, 'runner', 'run-ts.cjs');

/** Runs a TypeScript file as users run theirs: `node JITI file.ts …`. */
export const JITI = join(dirname(require.resolve('jiti/package.json')), 'lib', 'jiti-cli.mjs');

/** The command line. */
export const MAIN = join(ROOT, 'cli', 'main.ts');

/** Imports for agent modules that a test writes. */
export const HOLDFAST = join(ROOT, 'agent', 'index');

/** The environment of processes that tests start. */
export const FIXTURES = join(ROOT, 'test', 'fixtures');
