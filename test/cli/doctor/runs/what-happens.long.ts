import { type Agent, defineAgent } from 'holdfast';
import { type AgentTestEnvironment, createAgentTestEnvironment, text } from 'holdfast/testing';
import type { Finding } from '../../../../cli/doctor/finding';
import { checkOpenRuns } from '../../../../cli/doctor/runs/open-runs';
import { until } from '../../../until';

const conversation = { mode: 'conversation' } as const;
const agents: Agent[] = [];
let kit: AgentTestEnvironment;
afterEach(() => kit.close());

async function told(): Promise<Finding[]> {
  const found: Finding[] = [];
  await checkOpenRuns((finding) => found.push(finding), kit.client.temporal, {
    taskQueue: kit.taskQueue,
    code: { agents, models: ['default'], outlets: [] },
  });
  return found.filter(({ state }) => state === 'missing');
}

/** A conversation with one answer, whose worker is then replaced by one that has other agents. */
async function upgraded(before: Agent, after: Agent) {
  agents.splice(0, agents.length, before);
  kit = await createAgentTestEnvironment({ agents, server: 'dev' });
  kit.model.script(text('one'));
  const run = kit.conversation(before.name, { id: 'run-1', input: null });
  await run.answerTo(await run.send('hello'));
  await until(async () => (await kit.client.sessions({})).length === 1, 'the run to be listed');
  agents.splice(0, 1, after);
  await kit.stopWorker();
  await kit.startWorker();
  return run;
}

test('what is said of a model that is gone happens', async () => {
  const old = defineAgent({ ...conversation, name: 'open.model', model: 'old' });
  const run = await upgraded(old as Agent, defineAgent({ ...conversation, name: 'open.model' }) as Agent);
  expect(await told()).toEqual([
    {
      state: 'missing',
      what: 'open.model',
      found:
        '1 run (run-1): the model `old` is gone: after a minute of trying its next exchange fails with UnknownModel',
      todo: 'define the alias in temporal.yaml until these runs have ended, or `holdfast switch-model <run> <alias>`',
    },
  ]);
  await expect(run.answerTo(await run.send('again'))).rejects.toMatchObject({ type: 'UnknownModel' });
  expect((await run.state()).status).toBe('running');
});

test('what is said of an agent that is gone happens', async () => {
  const old = defineAgent({ ...conversation, name: 'open.gone' });
  const run = await upgraded(old as Agent, defineAgent({ ...conversation, name: 'open.other' }) as Agent);
  expect(await told()).toMatchObject([
    {
      what: 'open.gone',
      found: expect.stringContaining('after a minute of trying its next exchange fails with UnknownAgent'),
    },
  ]);
  await expect(run.answerTo(await run.send('again'))).rejects.toMatchObject({ type: 'UnknownAgent' });
  expect((await run.state()).status).toBe('running');
});
