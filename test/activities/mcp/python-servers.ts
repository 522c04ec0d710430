import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { McpStdioServer } from '../../../agent/define/mcp-server';

/** Servers of PyPI by their protocol: two environments, since `mcp` 2 and the servers made for 1 exclude each other. */
const ENVIRONMENTS = {
  '2026': ['mcp==2.3.0', 'mcp-server-time==2026.10.19', 'mcp-server-git==2026.10.19', 'mcp-server-fetch==2026.10.24'],
  '2025': ['mcp==1.30.0', 'mcp-server-sqlite==2025.4.25'],
};
export type Year = keyof typeof ENVIRONMENTS;

export const hasPython = spawnSync('python3', ['--version']).status === 0;
/** The test function for tests that need servers of PyPI. */
export const pythonTest: typeof test = hasPython ? test : (test.skip as typeof test);
if (!hasPython) console.warn('There is no python3: tests with MCP servers of PyPI are skipped.');

/** A server of PyPI, installed at its first use on this machine: takes about 15 s, and the network. */
export function python(
  year: Year,
  name: string,
  args: string[] = [],
  more: Partial<McpStdioServer> = {},
): McpStdioServer {
  return { command: join(environment(year), 'bin', name), args, ...more };
}

function environment(year: Year): string {
  const packages = ENVIRONMENTS[year];
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'holdfast', 'test-servers');
  const hash = createHash('sha256').update(packages.join()).digest('hex').slice(0, 12);
  const folder = join(cache, `${year}-${hash}`);
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  if (!isFirst(`${folder}.lock`, folder)) return folder;
  // Made under a unique name and then renamed: the first one counts, and no process sees half of one.
  const fresh = mkdtempSync(join(cache, 'new-'));
  try {
    execFileSync('python3', ['-m', 'venv', fresh]);
    execFileSync(join(fresh, 'bin', 'python'), ['-m', 'pip', 'install', '--quiet', ...packages]);
    rename(fresh, folder);
    renameSync(fresh, folder);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(`${folder}.lock`, { recursive: true, force: true });
  }
  return folder;
}

/** Milliseconds after which the holder of a lock is considered killed. */
const STALE = 240_000;

/** Takes the lock, or waits until the test file that holds it has made the folder. */
function isFirst(lock: string, folder: string): boolean {
  for (;;) {
    try {
      mkdirSync(lock);
      if (!existsSync(folder)) return true;
      rmSync(lock, { recursive: true });
      return false;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    if (existsSync(folder)) return false;
    const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - since > STALE) rmSync(lock, { recursive: true, force: true });
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  }
}

/** Scripts of a virtual environment name its interpreter by path: that of the folder's final name. */
function rename(from: string, to: string): void {
  execFileSync('sh', ['-c', `grep -rlI "$0" "$0/bin" | xargs sed -i "s|$0|$1|g"`, from, to]);
}
