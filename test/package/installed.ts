import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../sources';
import { until } from '../until';

/** Variables of this process that a user's shell does not have. */
const OURS =
  /^(JEST_|NODE_ENV$|TEMPORAL_|HOLDFAST_(KIT|WORKFLOW|SERVICES)_|npm_(?!config_(registry|cache|userconfig)$))/;
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !OURS.test(name)));

/** Runs a program to its end and returns what it printed; an error contains all of it. */
async function output(program: string, args: readonly string[], cwd: string, more: object = {}): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(program, args, { cwd, env: { ...env, ...more }, maxBuffer: 2 ** 26 });
    return stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    throw new Error(`${program} ${args.join(' ')} failed: ${error}\n${stdout}\n${stderr}`);
  }
}

const QUICK = ['--prefer-offline', '--no-audit', '--no-fund'];

/** Builds the package as it would be published, and installs it in an empty project, in a folder that the caller removes. */
export async function installPackage(): Promise<{ folder: string; project: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-pack-'));
  const printed = await output('npm', ['pack', '--pack-destination', folder], ROOT);
  const tarball = join(folder, printed.trim().split('\n').at(-1) ?? '');
  const project = join(folder, 'project');
  await mkdir(project);
  await writeFile(join(project, 'package.json'), JSON.stringify({ name: 'project', private: true }));
  await output('npm', ['install', ...QUICK, tarball], project);
  return { folder, project };
}

/** A project in which the package was installed, and then others. */
export class InstalledProject {
  private constructor(readonly dir: string) {}

  /**
   * @param installed a project with the package alone, of which this one is a copy: an installation takes ten times longer
   * @param packages besides ours, such as `typescript@6.0.3`
   */
  static async create(installed: string, type: 'commonjs' | 'module', packages: readonly string[]) {
    const project = new InstalledProject(await mkdtemp(join(tmpdir(), 'holdfast-project-')));
    await output('cp', ['-R', `${installed}/.`, project.dir], installed);
    await output('npm', ['pkg', 'set', `type=${type}`], project.dir);
    await output('npm', ['install', ...QUICK, ...packages], project.dir);
    return project;
  }

  write(file: string, text: string): Promise<void> {
    return writeFile(join(this.dir, file), text);
  }

  node(...args: readonly string[]): Promise<string> {
    return output(process.execPath, args, this.dir);
  }

  /** Runs a program of one of the installed packages. */
  run(program: string, ...args: readonly string[]): Promise<string> {
    return output(this.#bin(program), args, this.dir);
  }

  /** Runs an agent as the README does: with `holdfast dev` in one terminal, `holdfast run` in another. */
  async runAgent(agent: string, input: object): Promise<string> {
    const dev = spawn(this.#bin('holdfast'), ['dev'], { cwd: this.dir, env });
    const ended = once(dev, 'exit');
    let said = '';
    for (const stream of [dev.stdout, dev.stderr]) stream.on('data', (chunk) => (said += chunk));
    try {
      await until(() => said.includes('Ready.') || dev.exitCode !== null, 'holdfast dev', 120_000);
      const address = /^Temporal +(\S+)$/m.exec(said)?.[1];
      if (address === undefined) throw new Error(`holdfast dev said:\n${said}`);
      const args = ['run', agent, JSON.stringify(input)];
      return await output(this.#bin('holdfast'), args, this.dir, { TEMPORAL_ADDRESS: address });
    } finally {
      dev.kill('SIGINT');
      await ended;
    }
  }

  remove(): Promise<void> {
    return rm(this.dir, { recursive: true, force: true });
  }

  #bin(program: string): string {
    return join(this.dir, 'node_modules', '.bin', program);
  }
}
