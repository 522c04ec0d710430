import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HoldfastError } from '../../agent/errors/error';
import { EXIT, exitCodeOf } from '../../cli/exit-code';
import { createProgram } from '../../cli/main';
import { holdfastAt } from './at-terminal';

describe('the exit code', () => {
  it.each([
    [new HoldfastError('RunFailed', { id: 'r', problem: 'x' }), 1],
    [new Error('boom'), 1],
    [new HoldfastError('InvalidConfig', { file: 'f', problem: 'x' }), 2],
    [new HoldfastError('ModuleNotLoaded', { file: 'f', problem: 'x' }), 2],
    [new HoldfastError('UnknownAgent', { agent: 'a.b', known: [] }), 2],
    [new HoldfastError('UnknownModel', { alias: 'm', known: [] }), 2],
    [new HoldfastError('UnknownModel', { alias: 'm', known: [], problem: 'no worker took the check' }), 3],
    [new HoldfastError('UnknownOutlet', { outlet: 'o', known: [] }), 2],
    [new HoldfastError('InvalidEdit', { id: 'r', toolUseId: 't1.1', tool: 'refund', problem: 'x' }), 2],
    [new HoldfastError('NoServer', { address: 'a', problem: 'x' }), 3],
    [new HoldfastError('NoWorker', { taskQueue: 'q' }), 3],
    [new HoldfastError('Cancelled', { id: 'r' }), 4],
    [new HoldfastError('Terminated', { id: 'r', problem: 'x' }), 4],
    [HoldfastError.revive('OfANewerWorker', 'x', {}), 1],
  ])('of %s is %i', (error, code) => expect(exitCodeOf(error)).toBe(code));

  it('of a wrong command line is 2', async () => {
    for (const args of [
      ['rnu'],
      ['run'],
      ['tail', 'x', '--after', 'y'],
      ['answer', 'r', 't1.1'],
      ['complete', 'r'],
      ['raise-budget', 'r'],
      ['raise-budget', 'r', '--time', 'soon'],
      ['completion', 'nope'],
    ]) {
      expect(await holdfastAt('pipe', ...args)).toMatchObject({
        code: 2,
        out: '',
        err: expect.stringMatching(/^error: /),
      });
    }
    expect(await holdfastAt('pipe', 'run', '--help')).toMatchObject({ code: 0, err: '' });
  });

  it.each([
    [['nonsense'], "error: unknown command 'nonsense'. `holdfast --help` lists the commands.\n"],
    [['rnu'], "error: unknown command 'rnu'\n│ (Did you mean run?)\n"],
    [['tail', 'a', 'b'], "error: too many arguments for 'tail'. Expected 1 argument but got 2.\n"],
    [
      ['deny', 'a', 't1.1', '--reason', 'not', 'his'],
      "error: too many arguments for 'deny'. Expected 2 arguments but got 3. Put a text of several words into quotes.\n",
    ],
    [
      ['raise-budget', 'a', '--deadline', 'soon'],
      "error: option '--deadline <duration>' argument 'soon' is invalid. Expected a duration, such as 90s, 2h or 3d.\n",
    ],
    [['raise-budget', 'a'], 'error: expected a limit, such as `--tokens 200000`\n'],
  ])('comes with what to do where it helps: %j', async (args, err) => {
    expect(await holdfastAt('pipe', ...args)).toMatchObject({ code: 2, err });
  });

  it('is in one table, in the help and in the docs', async () => {
    const { out } = await holdfastAt('pipe', '--help');
    const docs = readFileSync(join(__dirname, '../../docs/reference/cli.md'), 'utf8');
    const rows = [...docs.matchAll(/^\| (\d+) \| (.+) \|$/gm)].map(([, code, meaning]) => [Number(code), meaning]);
    expect(rows.map(([code]) => code)).toEqual(Object.values(EXIT));
    for (const [code, meaning] of rows) expect(out).toContain(`  ${String(code).padEnd(4)} ${meaning}\n`);
  });
});

describe('the help', () => {
  it('of each command that works with runs has an example that the command itself can read', async () => {
    const others = ['dev', 'worker', 'key', 'doctor', 'completion'];
    for (const command of createProgram().commands.filter((one) => !others.includes(one.name()))) {
      const name = command.name();
      const { out } = await holdfastAt('pipe', name, '--help');
      const lines = [...out.matchAll(/^ {2}\$ holdfast (\S+) ?(.*)$/gm)];
      expect([name, lines.length]).not.toEqual([name, 0]);
      for (const [, used, rest = ''] of lines) {
        expect(used).toBe(name);
        const given = new Set(rest.match(/(?<=\s|^)--[a-z]+/g));
        const known = command.options.map(({ long }) => long);
        expect(known).toEqual(expect.arrayContaining([...given]));
      }
    }
  });

  it('has `--json` for output only', () => {
    for (const command of createProgram().commands) {
      const json = command.options.find(({ long }) => long === '--json');
      if (json !== undefined)
        expect([command.name(), json.description]).toEqual([command.name(), expect.stringMatching(/print/)]);
    }
  });
});
