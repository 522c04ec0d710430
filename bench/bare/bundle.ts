import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleWorkflowCode } from '@temporalio/worker';

export interface BareBundle {
  /** For the worker's process, and for replays. */
  codePath: string;
  remove(): Promise<void>;
}

/** Writes the workflow of the bare loop to a file, bundled by the SDK. */
export async function buildBareBundle(): Promise<BareBundle> {
  const silent = () => undefined;
  const logger = { log: silent, trace: silent, debug: silent, info: silent, warn: silent, error: silent };
  const { code } = await bundleWorkflowCode({ workflowsPath: require.resolve('./workflow'), logger });
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-bench-'));
  const codePath = join(folder, 'bare-bundle.js');
  await writeFile(codePath, code);
  return { codePath, remove: () => rm(folder, { recursive: true }) };
}
