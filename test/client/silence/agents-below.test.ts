import { agentService, defineAgent } from 'holdfast';
import { type AgentTestEnvironment, call, createAgentTestEnvironment, text } from 'holdfast/testing';
import { sessionLines } from '../../../cli/runs/runs';
import { runLines, viewRun } from '../../../cli/show/run';
import type { SessionFilter } from '../../../client/runs/sessions';
import { type ModelServer, serveModel } from '../../kit/model-server';
import { until } from '../../until';

const leaf = defineAgent({ name: 'below.leaf', instructions: 'leaf', model: 'flaky' });
const mid = defineAgent({ name: 'below.mid', instructions: 'mid', services: { leaf: agentService(leaf) } });
const top = defineAgent({ name: 'below.top', instructions: 'top', services: { mid: agentService(mid) } });

let kit: AgentTestEnvironment;
let flaky: ModelServer;
/** What the model of the leaf answers. */
let down: { status: number; headers?: { [name: string]: string } } | undefined;
beforeAll(async () => {
  flaky = await serveModel(() => (down === undefined ? text('Back.') : { fault: { kind: 'status', ...down } }));
  kit = await createAgentTestEnvironment({
    agents: [top, mid, leaf],
    models: { flaky: { baseUrl: flaky.url, model: 'flaky' } },
    server: 'dev',
  });
});
afterAll(async () => {
  await kit.close();
  await flaky.close();
});
beforeEach(() => kit.model.reset());

const show = async (id: string) =>
  runLines(await viewRun(kit.client.temporal, id, { workerTimeout: 20_000 }), false).join('\n');

test.each([
  ['one level down', mid, '/t1.1', [call('leaf', {})]],
  ['two levels down', top, '/t1.1/t1.1', [call('mid', {}), call('leaf', {})]],
] as const)(
  'the model of an agent %s is away: the run that waits says which, why, and what to type',
  async (_, agent, path, said) => {
    // It asks for a wait of an hour, and its run waits from the first failure on.
    down = { status: 503, headers: { 'retry-after': '3600' } };
    kit.model.script(...said, text('done'), text('done'));
    const run = await kit.start(agent, { input: 'go' });
    const { models } = await run.waiting({ atLeast: { models: 1 } });
    const below = `${run.id}${path}`;
    expect(models).toMatchObject([{ id: below, agent: 'below.leaf', model: 'flaky', failures: 1 }]);
    const away = new RegExp(
      `^The agent \`below\\.leaf\` works for this run, in the run \`${below}\`, and is held up\\. ` +
        'The model `flaky` has given no answer since \\S+Z\\. Holdfast asks it again at \\S+Z\\. ' +
        `\`holdfast retry ${below}\` asks it at once, \`holdfast switch-model ${below} <alias>\` has the run use another model\\. ` +
        'It failed with ModelUnavailable: .*503',
    );
    await until(async () => away.test((await run.problem()) ?? ''), 'the problem of the agent below');
    const lines = await show(run.id);
    expect(lines).toMatch(
      /The agent `below\.leaf` works for this run, .* is held up\. The model `flaky` has given no answer/,
    );
    expect(lines).toContain(`  holdfast retry ${below}\n`);
    // The agent itself has the same words, without the way to it.
    expect(await kit.client.get(below).problem()).toMatch(/^The model `flaky` has given no answer since /);
    // Lists say it of each run above, whatever they are narrowed to.
    const between = path
      .split('/')
      .slice(1)
      .map((_, depth) => run.id + '/t1.1'.repeat(depth));
    const above = async (filter: SessionFilter) =>
      (await kit.client.sessions(filter)).filter(({ agentWaits }) => agentWaits === 'model').map(({ id }) => id);
    await until(async () => (await above({})).length > 0, 'the list to show the outage');
    expect((await above({})).sort()).toEqual(between);
    expect((await above({ status: 'running' })).sort()).toEqual(between);
    expect(await above({ agent: agent.name })).toEqual([run.id]);
    expect(await above({ status: 'waiting' })).toEqual([]);
    const rows = sessionLines(await kit.client.sessions(), Date.now());
    expect(rows.find((row) => row.startsWith(`${run.id} `))).toContain(' an agent waits for its model ');
    expect(rows.find((row) => row.startsWith(`${below} `))).toContain(' waits for the model ');
    down = undefined;
    await kit.client.get(below).retry();
    expect((await run.result()).data).toBe('done');
    expect(await run.problem()).toBeUndefined();
    await until(async () => (await above({})).length === 0, 'the list to show no outage');
  },
);

test('an agent whose model is being tried is named from the first failed attempt on', async () => {
  down = { status: 503 };
  kit.model.script(call('leaf', {}), text('done'));
  const run = await kit.start(mid, { input: 'go' });
  const tried = /^The agent `below\.leaf` works for this run, .* is held up\. asking the model: attempt \d+, .*503/;
  await until(async () => tried.test((await run.problem()) ?? ''), 'the attempt of the agent below');
  expect(await show(run.id)).toMatch(/held up +The agent `below\.leaf` works for this run, .*: attempt \d+/);
  down = undefined;
  expect((await run.result()).data).toBe('done');
});
