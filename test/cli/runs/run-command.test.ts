import { writeFileSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { defineAgent, defineTool } from 'holdfast';
import { type AgentTestEnvironment, call, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import { holdSignals, onSignals } from '../../../cli/runs/run-signals';
import { printCommandsFor } from '../../../cli/terminal/printed-command';
import { HOLDFAST } from '../../sources';
import { until } from '../../until';
import { holdfastAt, type Printed } from '../at-terminal';
import { type Project, projectAt, projectOf } from '../project';

const pay = defineTool({
  description: 'Pay',
  inputSchema: z.object({ amount: z.number() }),
  approval: {},
  execute: ({ amount }) => ({ paid: amount }),
});
const clerk = defineAgent({ name: 'run.clerk', instructions: 'Help.', tools: { pay } });

let kit: AgentTestEnvironment;
let project: Project;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [clerk], server: 'dev' });
  project = projectOf(kit);
});
afterAll(async () => {
  await kit.close();
  project.remove();
});
beforeEach(() => kit.model.reset());

const holdfast = (...args: string[]): Promise<Printed> => holdfastAt('pipe', '--config', project.config, ...args);

describe('`holdfast run`', () => {
  it('sends a plain text to the model as it is, and prints the answer alone on standard output', async () => {
    kit.model.script(text('Hello to you.'));
    expect(await holdfast('run', 'run.clerk', 'hello there', '--id', 'plain')).toEqual({
      code: 0,
      out: 'Hello to you.\n',
      err: expect.stringMatching(/^run {3}plain\n(.*\n)*done {2}1 turn, \d+ \+ \d+ tokens, .* s\n$/),
    });
    expect(kit.model.requests[0]?.body.messages.at(-1)).toEqual({ role: 'user', content: 'hello there' });
  });

  it('leaves a run with `--detach`, and says how to follow it', async () => {
    kit.model.script(text('one'), text('two'));
    expect(await holdfast('run', 'run.clerk', 'go', '--id', 'left alone', '--detach')).toEqual({
      code: 0,
      out: 'left alone\n',
      err: `left  the run goes on: holdfast tail 'left alone' --config ${project.config}\n`,
    });
    await kit.client.get('left alone').result();
    const json = await holdfast('run', 'run.clerk', 'go', '--id', 'json', '--detach', '--json');
    expect(json).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(json.out)).toEqual({ type: 'started', id: 'json', agent: 'run.clerk' });
    await kit.client.get('json').result();
  });

  it('exits with 1 if the run failed and with 4 if it was cancelled', async () => {
    kit.model.script(call('pay', { amount: 1 }), { fault: { kind: 'status', status: 401 } });
    const waiting = async (id: string) => {
      await until(async () => (await kit.client.get(id).waiting()).approvals.length > 0, 'the call to wait');
    };
    const cancelled = holdfast('run', 'run.clerk', 'go', '--id', 'cancelled');
    await kit.model.request(1);
    await waiting('cancelled');
    await kit.client.get('cancelled').cancel();
    expect(await cancelled).toMatchObject({ code: 4, out: '', err: expect.stringMatching(/^stop {2}cancelled /m) });
    const failed = await holdfast('run', 'run.clerk', 'go', '--id', 'failed');
    expect(failed).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/^fail {2}failed after /m) });
  });

  it('starts no run with an input that the schema of the agent refuses', async () => {
    writeFileSync(
      join(project.dir, 'typed.ts'),
      `import { defineAgent } from ${JSON.stringify(HOLDFAST)};
       import { z } from ${JSON.stringify(require.resolve('zod'))};
       export const typed = defineAgent({ name: 'run.typed', instructions: 'x', inputSchema: z.object({ mail: z.string() }) });`,
    );
    const other = projectOf(kit, `agents: ${join(project.dir, 'typed.ts')}`);
    const refused = await holdfastAt(
      'pipe',
      'run',
      'run.typed',
      '{"mial": "x"}',
      '--id',
      'typed',
      '--config',
      other.config,
    );
    expect(refused).toEqual({
      code: 2,
      out: '',
      err: expect.stringMatching(/^Input of `run\.typed` does not fit: .*\n$/),
    });
    await expect(kit.client.get('typed').state()).rejects.toMatchObject({ type: 'RunNotFound' });
    other.remove();
  });

  it('warns of a name that only workers with other agents may know, and asks them', async () => {
    writeFileSync(
      join(project.dir, 'agents.ts'),
      `import { defineAgent } from ${JSON.stringify(HOLDFAST)};
       export const writer = defineAgent({ name: 'run.clerks', instructions: 'x' });`,
    );
    const other = projectOf(kit, `agents: ${join(project.dir, 'agents.ts')}`);
    kit.model.script(text('done'));
    const args = ['run', 'run.clerk', 'go', '--config', other.config];
    const { code, out, err } = await holdfastAt('pipe', ...args);
    expect([code, out]).toEqual([0, 'done\n']);
    expect(err).toMatch(/^! {5}No agent of .* did you mean `run\.clerks`\? Workers with other agents are asked: \d+@/);
    other.remove();
  });

  it('warns of modules that cannot be loaded if other workers may know the agent, and otherwise refuses', async () => {
    const broken = join(project.dir, 'broken.ts');
    writeFileSync(broken, 'export const b = ;\n');
    const other = projectOf(kit, `agents: ${broken}`);
    kit.model.script(text('done'));
    const { code, out, err } = await holdfastAt('pipe', 'run', 'run.clerk', 'go', '--config', other.config);
    expect([code, out]).toEqual([0, 'done\n']);
    expect(err).toMatch(
      /^! {5}.*broken\.ts:1:18: Syntax error: Unexpected token\. Workers with other agents are asked: \d+@/,
    );
    const unserved = projectAt(
      { address: kit.temporal.connection.options.address, taskQueue: 'idle' },
      `agents: ${broken}`,
    );
    expect(await holdfastAt('pipe', 'run', 'run.clerk', 'go', '--config', unserved.config)).toEqual({
      code: 2,
      out: '',
      err: `${broken}:1:18: Syntax error: Unexpected token\n`,
    });
    unserved.remove();
    other.remove();
  });
});

describe('a decision without a name', () => {
  const { USER, USERNAME } = process.env;
  beforeEach(() => {
    delete process.env.USER;
    delete process.env.USERNAME;
    jest.spyOn(os, 'userInfo').mockImplementation(() => {
      throw new Error('uv_os_get_passwd returned ENOENT');
    });
  });
  afterEach(() => {
    jest.restoreAllMocks();
    if (USER !== undefined) process.env.USER = USER;
    if (USERNAME !== undefined) process.env.USERNAME = USERNAME;
  });

  it('is refused with what to do, once the run is known to exist', async () => {
    kit.model.script(call('pay', { amount: 1 }), text('paid'));
    const run = await kit.start(clerk, { id: 'nameless', input: 'go' });
    await run.waiting({ atLeast: { approvals: 1 } });
    const commands = [
      ['approve', 'nameless', 't1.1'],
      ['deny', 'nameless', 't1.1'],
      ['edit', 'nameless', 't1.1', '--input', '{"amount": 2}'],
      ['answer', 'nameless', 't1.1', 'yes'],
    ];
    for (const [command = '', id = '', ...rest] of commands) {
      expect(await holdfast(command, id, ...rest)).toEqual({
        code: 2,
        out: '',
        err: 'Neither $USER nor $USERNAME says who decides, and the user of this process has no name: add `--by <name>`.\n',
      });
      expect(await holdfast(command, 'missing', ...rest)).toMatchObject({
        code: 1,
        err: expect.stringMatching(/^There is no run `missing`/),
      });
    }
    expect(await holdfast('approve', 'nameless', 't1.1', '--by', 'ann')).toMatchObject({ code: 0 });
    await run.result();
  });
});

describe('signals while a run is followed', () => {
  // The commands above have left theirs.
  beforeEach(() => printCommandsFor({}));

  function follow() {
    const err: string[] = [];
    const exit = jest.spyOn(process, 'exit').mockImplementation((code) => {
      throw new Error(`exit ${code}`);
    });
    const cancel = jest.fn(async () => undefined);
    const off = onSignals({ id: 'mail 17', cancel }, (line) => err.push(line));
    const end = () => {
      off();
      exit.mockRestore();
    };
    return { err, exit, cancel, end };
  }

  it('SIGTERM leaves the run, and says how to follow it', () => {
    const { err, cancel, end } = follow();
    expect(() => process.emit('SIGTERM')).toThrow('exit 143');
    expect([err, cancel.mock.calls]).toEqual([["left  the run goes on: holdfast tail 'mail 17'"], []]);
    end();
  });

  it('Ctrl-C before the run is known cancels it as soon as it is', () => {
    const release = holdSignals();
    process.emit('SIGINT');
    const { err, cancel, end } = follow();
    expect(cancel).not.toHaveBeenCalled();
    release();
    expect(cancel).toHaveBeenCalledTimes(1);
    expect(err).toEqual(['stop  mail 17 is being cancelled; Ctrl-C again leaves it']);
    end();
  });

  it('the first Ctrl-C cancels the run, the second leaves', () => {
    const { err, exit, cancel, end } = follow();
    process.emit('SIGINT');
    expect([cancel.mock.calls.length, exit.mock.calls.length]).toEqual([1, 0]);
    expect(() => process.emit('SIGINT')).toThrow('exit 130');
    expect(cancel.mock.calls.length).toBe(1);
    expect(err.map((line) => line.slice(0, 6))).toEqual(['stop  ', 'left  ']);
    end();
  });
});
