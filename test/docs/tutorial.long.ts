import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePort } from '../../runtime/process/ports';
import { JITI, MAIN, RUN_TS } from '../sources';
import { type Block, blocksOf } from './pages';
import { installPackages } from './reader-project';
import { Terminal } from './terminal';

/** Commands that run until Ctrl-C. */
const SERVERS = ['npx jiti model.ts', 'npx holdfast dev'];

let home: string;
let folder: string;
let env: NodeJS.ProcessEnv;
/** What differs from the page: ports, so that the test runs beside other programs. */
let replaced: [from: string, to: string][];
const terminals: Terminal[] = [];

beforeAll(async () => {
  home = folder = await mkdtemp(join(tmpdir(), 'holdfast-tutorial-'));
  const [model, port, uiPort] = await Promise.all([1, 2, 3].map(() => freePort('127.0.0.1')));
  replaced = [
    ['4100', `${model}`],
    [
      '# temporal.yaml',
      `# temporal.yaml\ntemporal: { address: "127.0.0.1:${port}" }\ndevServer: { uiPort: ${uiPort} }`,
    ],
  ];
  await installNpx(join(home, 'bin'));
  env = {
    ...process.env,
    HOLDFAST_LOG: undefined,
    TEMPORAL_ADDRESS: undefined,
    NO_COLOR: '1',
    PATH: `${join(home, 'bin')}${delimiter}${process.env.PATH}`,
  };
});
afterAll(async () => {
  await Promise.all(terminals.map((terminal) => terminal.end()));
  await rm(home, { recursive: true });
});

const steps = blocksOf('start/tutorial.md').filter(({ note }) => note !== 'ignore');

/** The first step that failed: those after it could only wait for what it did not do. */
let failed: string | undefined;

it.each(steps.map((block, i) => ({ block, next: steps[i + 1], title: titleOf(block) })))(
  'tutorial.md:$block.line $title',
  async ({ block, next, title }) => {
    if (failed !== undefined) throw new Error(`Not tried, since a step before it failed: ${failed}`);
    failed = `tutorial.md:${block.line} ${title}`;
    if (block.language === 'sh') await type(block, next);
    else if (block.language === 'text') await terminalOf(block.note).prints(adapt(block.code));
    else await writeFile(join(folder, nameOf(block)), adapt(block.code));
    failed = undefined;
  },
);

it('each command of the page ends well, and the payment began once for each run', async () => {
  expect(failed).toBeUndefined();
  for (const terminal of terminals) {
    if (!isServer(terminal)) expect([terminal.command, await terminal.exitCode()]).toEqual([terminal.command, 0]);
  }
  const dev = terminalOf('holdfast dev');
  expect(dev.output.match(/refund begins/g)).toHaveLength(2);
  expect(await dev.interrupt()).toBe(0);
});

/** Types the commands of a block, and waits for their end unless the page shows what they print. */
async function type({ code, note }: Block, next: Block | undefined): Promise<void> {
  for (const command of code.trim().split('\n')) {
    const [, made] = /^mkdir (\w+) && cd \1$/.exec(command) ?? [];
    if (made !== undefined) {
      folder = join(folder, made);
      await mkdir(folder);
    } else if (command.startsWith('npm install ')) await install(command.split(' ').slice(2));
    else if (command.startsWith('kill -9 ')) process.kill(workerPid(), 'SIGKILL');
    else {
      const terminal = new Terminal(command, { cwd: folder, env });
      terminals.push(terminal);
      if (next?.language === 'text' && next.note === '') return;
      const exitCode = await terminal.exitCode();
      if (note === 'fails') {
        terminals.splice(terminals.indexOf(terminal), 1);
        expect(terminal.output).toMatch(/^[^\n]+\n$/);
        expect(exitCode).toBeGreaterThan(0);
      } else expect([exitCode, terminal.output]).toEqual([0, expect.anything()]);
    }
  }
}

/** Puts the packages where npm would put them. */
async function install([tarball, ...others]: string[]): Promise<void> {
  const { version } = require('../../package.json') as { version: string };
  expect(tarball).toBe(`../holdfast-${version}.tgz`);
  await installPackages(folder, others);
}

/** An `npx` that runs the command line of the sources. */
async function installNpx(bin: string): Promise<void> {
  await mkdir(bin);
  const lines = [
    '#!/bin/sh',
    'program=$1; shift; export npm_config_user_agent=npm/10',
    'case $program in',
    `holdfast) exec "${process.execPath}" "${RUN_TS}" "${MAIN}" "$@" ;;`,
    `jiti) exec "${process.execPath}" "${JITI}" "$@" ;;`,
    'esac',
    'echo "$program is not installed" >&2; exit 1',
  ];
  await writeFile(join(bin, 'npx'), `${lines.join('\n')}\n`);
  await chmod(join(bin, 'npx'), 0o755);
}

/** The newest terminal whose command has this part; the newest of all without one. */
function terminalOf(part: string): Terminal {
  const found = terminals.findLast(({ command }) => command.includes(part));
  if (found === undefined) throw new Error(`The page has no command with \`${part}\` before this`);
  return found;
}

/** The pid of the newest worker. */
function workerPid(): number {
  const pids = [...terminalOf('holdfast dev').output.matchAll(/^(?:Worker|Reloaded +worker) +pid (\d+)/gm)];
  return Number(pids.at(-1)?.[1]);
}

function isServer({ command }: Terminal): boolean {
  return SERVERS.some((server) => command.startsWith(server));
}

function adapt(text: string): string {
  return replaced.reduce((adapted, [from, to]) => adapted.replaceAll(from, to), text);
}

function nameOf({ code }: Block): string {
  const [, name] = /^(?:\/\/|#) ([\w.-]+)\n/.exec(code) ?? [];
  if (name === undefined) throw new Error(`A file of the tutorial begins with its name:\n${code}`);
  return name;
}

function titleOf({ language, code }: Block): string {
  const [first = ''] = code.split('\n');
  return language === 'text' ? `shows ${first.trim()}` : first;
}
