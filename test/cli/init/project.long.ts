import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../sources';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'holdfast-project-'));
});
afterAll(() => rmSync(dir, { recursive: true }));

/** Runs a command as a user does who has set no model. */
async function run(cwd: string, command: string, ...args: string[]): Promise<string> {
  const { MODEL_URL: _, ...env } = process.env;
  const { stdout } = await promisify(execFile)(command, args, { cwd, env, maxBuffer: 2 ** 26 });
  return stdout;
}

it('with nothing but the tarball, a new project installs, runs, and passes its type check and its tests', async () => {
  await run(ROOT, 'npm', 'pack', '--ignore-scripts', '--pack-destination', dir);
  const tarball = readdirSync(dir).find((file) => file.endsWith('.tgz')) ?? '';
  const next = await run(dir, 'npx', '--yes', '--package', `./${tarball}`, 'holdfast', 'init', 'my-agent');
  expect(next).toContain('  cd my-agent\n  npm install\n  npm start ');
  // What the project needs is in the project.
  rmSync(join(dir, tarball));
  const project = join(dir, 'my-agent');
  await run(project, 'npm', 'install', '--no-audit', '--no-fund');
  const shown = await run(project, 'npm', 'start');
  expect(shown).toContain('reply      We are sorry. You get 40 back for A-17.');
  expect(shown).toContain('It works. For a real model, name any server');
  await run(project, 'npm', 'run', 'check');
  expect(await run(project, 'npm', 'test')).toMatch(/^# pass 2$/m);
});
