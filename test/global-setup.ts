import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeBundle } from '../workers/bundle';

/** Bundles the workflows once for all test files, instead of once a file. */
export default async function globalSetup(): Promise<void> {
  const { code } = await makeBundle();
  const path = join(await mkdtemp(join(tmpdir(), 'holdfast-bundle-')), 'workflow-bundle.js');
  await writeFile(path, code);
  process.env.HOLDFAST_WORKFLOW_BUNDLE = path;
}
