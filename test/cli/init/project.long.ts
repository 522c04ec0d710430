import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../sources';
import { Pty } from '../pty';

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

/** Names of the packages of a project with a script that npm would run, also of those for other systems. */
function withInstallScript(project: string): string[] {
  const { packages } = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')) as Lock;
  const found = Object.entries(packages).filter(([, { hasInstallScript = false }]) => hasInstallScript);
  return found.map(([path]) => path.split('node_modules/').at(-1) ?? '').sort();
}

interface Lock {
  packages: { [path: string]: { hasInstallScript?: boolean } };
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
  const { allowScripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  // npm 11 asks about every script that the project does not mention.
  expect(withInstallScript(project)).toEqual(Object.keys(allowScripts));
  const shown = await run(project, 'npm', 'start');
  expect(shown).toContain('reply      We are sorry. You get 40 back for A-17.');
  expect(shown).toContain('It works. For a real model, name any server');
  const { MODEL_URL: _, ...env } = process.env;
  const person = new Pty('npm', ['start'], { cwd: project, env });
  await person.sees('Do you agree?');
  person.paste('\x03');
  await person.sees('Stopping   the worker and the server');
  expect((await person.exit)[0]).toBe(130);
  await run(project, 'npm', 'run', 'check');
  expect(await run(project, 'npm', 'test')).toMatch(/^# pass 2$/m);
});
