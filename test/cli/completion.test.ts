import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { HOLDFAST, JITI, MAIN } from '../sources';

const run = promisify(execFile);
const MODEL = '{ baseUrl: "http://127.0.0.1:9/v1", model: m }';
let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'holdfast-completion-'));
  const agents = `import { defineAgent } from ${JSON.stringify(HOLDFAST)};
console.log('a module that prints');
export const all = ['support.triage', 'support.desk'].map((name) => defineAgent({ name }));\n`;
  writeFileSync(join(dir, 'agents.ts'), agents);
  writeFileSync(join(dir, 'temporal.yaml'), `agents: agents.ts\nmodels:\n  big: ${MODEL}\n  small: ${MODEL}\n`);
  writeFileSync(join(dir, 'other.yaml'), 'agents: nowhere.ts\n');
  // The program that the script of a shell calls.
  writeFileSync(join(dir, 'holdfast'), `#!/bin/sh\nexec ${process.execPath} ${JITI} ${MAIN} "$@"\n`);
  chmodSync(join(dir, 'holdfast'), 0o755);
});
afterAll(() => rmSync(dir, { recursive: true }));

const holdfast = (...args: string[]) => run(process.execPath, [JITI, MAIN, ...args], { cwd: dir });
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

  it('has a script that works in bash', async () => {
    const { stdout: script } = await holdfast('completion', 'bash');
    const asked = `${script}
COMP_WORDS=(holdfast run support.d); COMP_CWORD=2
handler=$(complete -p holdfast | sed 's/.*-F \\([^ ]*\\).*/\\1/')
"$handler" 2>/dev/null; echo "\${COMPREPLY[@]}"; complete -p holdfast`;
    const env = { ...process.env, PATH: [dir, process.env.PATH].join(delimiter) };
    const { stdout } = await run('bash', ['-c', asked], { cwd: dir, env });
    expect(stdout).toMatch(/^support\.desk\ncomplete -o default -F /);
  });

  it('has scripts for zsh and fish, and names the shells that there are', async () => {
    for (const shell of ['zsh', 'fish']) {
      expect((await holdfast('completion', shell)).stdout).toContain('holdfast completion complete --');
    }
    await expect(holdfast('completion', 'tcsh')).rejects.toMatchObject({
      code: 1,
      stderr: "error: there is no completion for 'tcsh'; possible are bash, zsh, fish\n",
    });
  });
});
