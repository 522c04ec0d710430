import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { Command } from 'commander';
import { completion } from '../../cli/completion/completion';
import { HOLDFAST, MAIN, RUN_TS } from '../sources';
import { said } from './said';

const run = promisify(execFile);
const MODEL = '{ baseUrl: "http://127.0.0.1:9/v1", model: m }';
const FISH = 'fish';
const hasFish = spawnSync(FISH, ['--version']).status === 0;
const fishTest: typeof test = hasFish ? test : (test.skip as typeof test);
if (!hasFish) console.warn('There is no fish: the test of its completion is skipped.');

let dir: string;
let bashScript: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'holdfast-completion-'));
  const agents = `import { defineAgent } from ${JSON.stringify(HOLDFAST)};
console.log('a module that prints');
export const all = ['support.triage', 'support.desk'].map((name) => defineAgent({ name }));\n`;
  writeFileSync(join(dir, 'agents.ts'), agents);
  writeFileSync(join(dir, 'temporal.yaml'), `agents: agents.ts\nmodels:\n  big: ${MODEL}\n  small: ${MODEL}\n`);
  writeFileSync(join(dir, 'other.yaml'), 'agents: nowhere.ts\n');
  // The program that the script of a shell calls.
  writeFileSync(join(dir, 'holdfast'), `#!/bin/sh\nexec ${process.execPath} ${RUN_TS} ${MAIN} "$@"\n`);
  chmodSync(join(dir, 'holdfast'), 0o755);
  bashScript = (await holdfast('completion', 'bash')).stdout;
});
afterAll(() => rmSync(dir, { recursive: true }));

const holdfast = (...args: string[]) => run(process.execPath, [RUN_TS, MAIN, ...args], { cwd: dir });
/** The environment of a shell that finds the program. */
const withHoldfast = () => ({ ...process.env, PATH: [dir, process.env.PATH].join(delimiter) });
/** What may follow, without descriptions, and the directive. */
async function offered(...words: string[]): Promise<string[]> {
  const { stdout } = await holdfast('completion', 'complete', '--', ...words);
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.split('\t', 1)[0] ?? '');
}

describe('`holdfast completion`', () => {
  it('offers commands and the options of a command', async () => {
    expect(await offered('ru')).toEqual(['run', 'runs', ':4']);
    expect(await offered('dev', '--')).toEqual(expect.arrayContaining(['--config', '--port', '--server-only']));
  });

  it.each([
    ['an argument', ['run', '']],
    ['an option, though another command has a switch of this name', ['runs', '--agent', '']],
    ['what may also be a run', ['show', 'support.']],
  ])('offers the agents of temporal.yaml for %s', async (_, words) => {
    expect(await offered(...words)).toEqual(['support.triage', 'support.desk', ':4']);
  });

  it('offers the values of an option that has a list of them, and files for a file', async () => {
    expect(await offered('export', 'x', '--format', '')).toEqual(['jsonl', 'md', ':4']);
    expect(await offered('worker', '--config', '')).toEqual([':0']);
  });

  it('offers the aliases of temporal.yaml for a model', async () => {
    expect(await offered('switch-model', 'mail-17', '')).toEqual(['big', 'small', ':4']);
    expect(await offered('switch-model', '--config', 'missing.yaml', 'mail-17', '')).toEqual([':4']);
  });

  it('offers no agent if they cannot be loaded', async () => {
    expect(await offered('run', '--config', 'other.yaml', '')).toEqual([':4']);
  });

  it.each([
    ['an agent', ['run', 'support.d'], ['support.desk']],
    ['a value after `=`', ['export', 'x', '--format', '='], ['jsonl', 'md']],
    [
      'a line with a command substitution, which it does not run',
      ['run', 'x', '"$(touch ran)"', '--det'],
      ['--detach'],
    ],
  ])('has a script that completes in bash: %s', async (_, words, expected) => {
    const typed = words.map((word) => `'${word}'`).join(' ');
    // A shell reads it again when its user reads the settings again.
    const asked = `${bashScript}${bashScript}
COMP_WORDS=(holdfast ${typed}); COMP_CWORD=${words.length}
handler=$(complete -p holdfast | sed 's/.*-F \\([^ ]*\\).*/\\1/')
"$handler"; printf '%s\\n' "\${COMPREPLY[@]}"; complete -p holdfast`;
    const { stdout, stderr } = await run('bash', ['-c', asked], { cwd: dir, env: withHoldfast() });
    expect(stderr).toBe('');
    const lines = stdout.trim().split('\n');
    expect(lines.slice(0, -1)).toEqual(expected);
    expect(lines.at(-1)).toMatch(/^complete -o default -F /);
    expect(existsSync(join(dir, 'ran'))).toBe(false);
  });

  fishTest('has a script that completes in fish, and says nothing without the program', async () => {
    const { stdout: script } = await holdfast('completion', 'fish');
    writeFileSync(join(dir, 'holdfast.fish'), script);
    const asked = `source holdfast.fish; complete --do-complete 'holdfast run support.d'`;
    const fish = async (env: NodeJS.ProcessEnv) => {
      const { stdout, stderr } = await run(FISH, ['--no-config', '-c', asked], { cwd: dir, env });
      return [stdout.trim().split('\t')[0], stderr];
    };
    expect(await fish(withHoldfast())).toEqual(['support.desk', '']);
    expect(await fish({ ...process.env, PATH: '/usr/bin:/bin' })).toEqual(['', '']);
  });

  it('has scripts for zsh and fish, and names the shells that there are', async () => {
    for (const shell of ['zsh', 'fish']) {
      expect((await holdfast('completion', shell)).stdout).toContain('holdfast completion complete --');
    }
    await expect(holdfast('completion', 'tcsh')).rejects.toMatchObject({
      code: 2,
      stderr:
        "error: there is no completion for 'tcsh'; possible are bash, zsh, fish, as in `holdfast completion bash`\n",
    });
  });

  it('takes the shell of $SHELL if none is named, and says which there are if it has none for that', async () => {
    const env = { ...process.env, SHELL: '/usr/bin/zsh' };
    const { stdout } = await run(process.execPath, [RUN_TS, MAIN, 'completion'], { cwd: dir, env });
    expect(stdout).toContain('#compdef');
    const at = (SHELL: string) => said(() => completion(undefined, [], new Command(), { SHELL }));
    const possible = 'possible are bash, zsh, fish, as in `holdfast completion bash`\n';
    const err = `error: there is no completion for 'dash' of $SHELL; ${possible}`;
    expect(await at('/bin/dash')).toEqual({ code: 2, out: '', err });
    expect(await at('')).toEqual({ code: 2, out: '', err: `error: name your shell; ${possible}` });
  });
});
