import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentClient } from '../../../client/agent-client';
import { loadConfig } from '../../../runtime/config/config';
import { type DevEvent, type DevTree, startDev } from '../../../workers/dev/dev';
import { isAlive } from '../../is-alive';
import { type ModelServer, serveModel } from '../../kit/model-server';
import { call, text } from '../../kit/scripted-model';
import { HOLDFAST } from '../../sources';
import { until } from '../../until';

let dir: string;
let model: ModelServer;
let tree: DevTree;
const events: DevEvent[] = [];
const seen = <T extends DevEvent['type']>(type: T) =>
  events.filter((event): event is Extract<DevEvent, { type: T }> => event.type === type);
const ready = (count: number) =>
  until(() => seen('worker.ready').length === count, `worker ${count}`).catch((error: unknown) => {
    throw new Error(`There was: ${JSON.stringify(events)}`, { cause: error });
  });
const pid = (n: number): number => {
  const worker = seen('worker.ready')[n - 1];
  if (worker === undefined) throw new Error(`There is no worker ${n}`);
  return worker.pid;
};

/** The agents' module: a tool that needs approval and returns `word`, which another module exports. */
function write({ word = 'one', instructions = 'x', more = '' } = {}): void {
  writeFileSync(join(dir, 'word.ts'), `export const word = ${JSON.stringify(word)};\n`);
  writeFileSync(
    join(dir, 'agents.ts'),
    `import { defineAgent, defineTool } from ${JSON.stringify(HOLDFAST)};
import { z } from ${JSON.stringify(require.resolve('zod'))};
import { word } from './word';
const say = defineTool({ description: 'Says', inputSchema: z.object({}), approval: 'always', execute: () => word });
export const desk = defineAgent({ name: 'support.desk', instructions: '${instructions}', tools: { say } });
${more}
`,
  );
}

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'holdfast-reload-'));
  model = await serveModel(({ messages }) =>
    messages.some(({ role }) => role === 'tool') ? text('done') : call('say', {}),
  );
  write();
  const models = `models: {default: {baseUrl: '${model.url}', model: m}}\n`;
  writeFileSync(join(dir, 'temporal.yaml'), `agents: agents.ts\n${models}`);
  const env = { ...process.env, HOLDFAST_LOG: 'warn' };
  tree = await startDev({ cwd: dir, port: 0, uiPort: 0, env, reload: true, onEvent: (event) => events.push(event) });
  await ready(1);
});
afterAll(async () => {
  await tree?.stop();
  await model?.close();
  rmSync(dir, { recursive: true });
});

describe('a change of the agents while `holdfast dev` runs', () => {
  it('has another worker take over, which goes on with the runs in progress', async () => {
    const config = await loadConfig({ cwd: dir, env: { TEMPORAL_ADDRESS: tree.server.address } });
    const client = await AgentClient.connect({ config });
    const run = await client.start('support.desk', { input: 'hello', id: 'kept' });
    const { approvals } = await run.waiting({ atLeast: 1 });
    write({ word: 'two', instructions: 'y', more: "export const other = defineAgent({ name: 'support.other' });" });
    await ready(2);
    expect(seen('worker.ready')[1]).toMatchObject({ replaces: pid(1) });
    expect(seen('change').flatMap(({ files }) => files)).toContain(join(dir, 'agents.ts'));
    await until(() => !isAlive(pid(1)), 'the end of the replaced worker');
    if (approvals[0] === undefined) throw new Error('Nothing waits');
    await run.approve(approvals[0], { by: 'ann' });
    expect((await run.result()).data).toBe('done');
    // The tool's code is the new one; the instructions are those that the run started with.
    const asked = model.requests.at(-1)?.body.messages ?? [];
    expect(asked.map(({ role, content }) => [role, content])).toEqual(
      expect.arrayContaining([
        ['system', expect.stringMatching(/^x/)],
        ['tool', 'two'],
      ]),
    );
    await client.close();
    expect(seen('worker.exit')).toEqual([]);
    expect(seen('worker.log').filter(({ line }) => line.includes('Workers with other agents'))).toEqual([]);
  });

  it('is refused if it is broken: the worker stays, until the change is corrected', async () => {
    write({ word: 'three', more: 'defineTool({});' });
    await until(() => seen('worker.failed').length === 1, 'the refusal');
    expect(seen('worker.failed')[0]).toMatchObject({
      kept: pid(2),
      problem: expect.stringMatching(/agents\.ts:6: defineTool\.description: /),
    });
    expect(isAlive(pid(2))).toBe(true);
    write({ word: 'three', more: "import './missing';" });
    await until(() => seen('worker.failed').length === 2, 'the second refusal');
    writeFileSync(join(dir, 'missing.ts'), 'export {};\n');
    await ready(3);
    await until(() => !isAlive(pid(2)), 'the end of the replaced worker');
  });

  it('of temporal.yaml counts too, and saving a file unchanged does not', async () => {
    write({ word: 'three', more: "import './missing';" });
    writeFileSync(join(dir, 'temporal.yaml'), 'agents: agents.ts\nmodels: {default: {baseURL: x}}\n');
    await until(() => seen('worker.failed').length === 3, 'the refusal');
    expect(seen('worker.failed')[2]?.problem).toMatch(/temporal\.yaml:2:\d+: There is no `baseURL` here/);
    expect(seen('worker.ready')).toHaveLength(3);
  });

  it('of a module that exports a model counts like one of a module of agents', async () => {
    const module = (more: string) =>
      writeFileSync(join(dir, 'models.ts'), `export const fast = { baseUrl: '${model.url}', model: 'm'${more} };\n`);
    module('');
    writeFileSync(
      join(dir, 'temporal.yaml'),
      'agents: agents.ts\nmodels: {default: {module: models.ts, export: fast}}\n',
    );
    await ready(4);
    module(", api: 'x'");
    await until(() => seen('worker.failed').length === 4, 'the refusal');
    expect(seen('worker.failed')[3]).toMatchObject({
      kept: pid(4),
      problem: expect.stringMatching(
        /temporal\.yaml:2:\d+: `models\.default`: `fast` of .*models\.ts: `api`: Expected `chat` or/,
      ),
    });
    module(', patience: 7');
    await ready(5);
    await until(() => !isAlive(pid(4)), 'the end of the replaced worker');
  });

  it.each([
    [
      'calls process.exit',
      'process.exit(0)',
      /agents\.ts:6: it ends the process, with exit code 0: remove the call of/,
    ],
    ['throws', "throw new Error('offline')", /^Worker pid \d+ ended before it was ready \(exit code \d+\)$/],
    ['kills it', "process.kill(process.pid, 'SIGKILL')", /^Worker pid \d+ ended before it was ready \(SIGKILL\)$/],
    ['aborts', 'process.abort()', /^Worker pid \d+ ended before it was ready \(SIGABRT\)$/],
  ])('that ends the process after it has loaded is refused with a reason: it %s', async (_what, ends, problem) => {
    const before = seen('worker.failed').length;
    write({ word: 'five', more: `setImmediate(() => { ${ends}; });` });
    await until(() => seen('worker.failed').length === before + 1, 'the refusal');
    expect(seen('worker.failed')[before]).toEqual({
      type: 'worker.failed',
      kept: pid(5),
      problem: expect.stringMatching(problem),
    });
    expect(isAlive(pid(5))).toBe(true);
  });

  it('that never lets its worker go on is given up after a time, and at once when it changes again', async () => {
    const before = seen('worker.failed').length;
    write({ word: 'five', more: 'while (true) {}' });
    await until(() => seen('worker.failed').length === before + 1, 'the refusal', 90_000);
    expect(seen('worker.failed')[before]).toMatchObject({
      kept: pid(5),
      problem: expect.stringMatching(
        /agents\.ts: the worker that loads it did not answer for 40 s; does it loop at its/,
      ),
    });
    const changes = seen('change').length;
    write({ word: 'five', more: 'for (;;) {}' });
    await until(() => seen('change').length === changes + 1, 'the change');
    write({ word: 'six' });
    await ready(6);
    expect(seen('worker.failed')).toHaveLength(before + 1);
    await until(() => !isAlive(pid(5)), 'the end of the replaced worker');
  }, 180_000);

  it('that ends the process is refused with its line, and one that never loads can be corrected', async () => {
    const before = seen('worker.failed').length;
    write({ word: 'six', more: 'process.exit(0);' });
    await until(() => seen('worker.failed').length === before + 1, 'the refusal');
    expect(seen('worker.failed')[before]).toMatchObject({
      kept: pid(6),
      problem: expect.stringMatching(/agents\.ts:6: it ends the process, with exit code 0: remove the call of/),
    });
    write({ word: 'six', more: 'await new Promise(() => {});' });
    await until(() => seen('worker.failed').length === before + 2, 'the second refusal', 60_000);
    expect(seen('worker.failed')[before + 1]?.problem).toMatch(/agents\.ts: it was not loaded after 30 s/);
    write({ word: 'six' });
    await ready(7);
    await until(() => !isAlive(pid(6)), 'the end of the replaced worker');
  }, 120_000);

  it('that breaks everything does not end the server when the worker ends: it waits for a correction', async () => {
    const before = seen('worker.failed').length;
    writeFileSync(join(dir, 'temporal.yaml'), 'agents: agents.ts\nmodels: {default: {baseURL: x}}\n');
    await until(() => seen('worker.failed').length === before + 1, 'the refusal');
    process.kill(pid(7), 'SIGKILL');
    await until(() => seen('worker.waiting').length === 1, 'the pause');
    const models = `models: {default: {baseUrl: '${model.url}', model: m}}\n`;
    writeFileSync(join(dir, 'temporal.yaml'), `agents: agents.ts\n${models}`);
    await ready(8);
    expect(isAlive(pid(8))).toBe(true);
  });
});
