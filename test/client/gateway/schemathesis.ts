import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../sources';

/** Where pip puts it once for all tests. */
const CACHE = join(ROOT, 'node_modules/.cache/schemathesis-4');
/** Checks that hold for every answer. */
const CHECKS = 'not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance';

/**
 * Sends generated requests to every documented route: what it has printed, and whether all answers were good. Half of them
 * are about `run`, the others about runs that do not exist.
 */
export async function schemathesis(url: string, token: string, run: string): Promise<{ ok: boolean; printed: string }> {
  if (!existsSync(join(CACHE, 'schemathesis'))) {
    await promisify(execFile)('python3', ['-m', 'pip', 'install', '--quiet', '--target', CACHE, 'schemathesis==4.*']);
  }
  const folder = await mkdtemp(join(tmpdir(), 'schemathesis-'));
  await writeFile(join(folder, 'schemathesis.toml'), `[parameters]\n"path.id" = ["${run}", "acme:none"]\n`);
  const args = ['-m', 'schemathesis.cli', 'run', `${url}/openapi.json`, '--header', `Authorization: Bearer ${token}`];
  const python = spawn(
    'python3',
    [
      ...args,
      '--checks',
      CHECKS,
      '--no-color',
      '--exclude-path-regex',
      '(events|cancel|close)$',
      '--max-examples',
      '20',
      '--phases',
      'examples,coverage,fuzzing',
    ],
    {
      cwd: folder,
      env: { ...process.env, PYTHONPATH: CACHE },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let printed = '';
  for (const stream of [python.stdout, python.stderr]) {
    stream.on('data', (data) => {
      printed += String(data);
    });
  }
  const code = await new Promise((resolve) => python.once('close', resolve));
  return { ok: code === 0, printed };
}
