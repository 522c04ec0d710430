import { defineAgent } from 'holdfast';
import { type AgentTestEnvironment, createAgentTestEnvironment, text } from 'holdfast/testing';
import { diagnose } from '../../../client/silence/diagnose';
import { until } from '../../until';

let up = false;
const starter = defineAgent({
  name: 'diagnosed.starter',
  contextBuilder: () => {
    if (!up) throw new Error('no database');
    return { system: 'Answer.' };
  },
});

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [starter], server: 'dev' });
});
afterAll(() => kit.close());

test('an agent that no worker has is reported while the run waits for one', async () => {
  const run = await kit.client.start('diagnosed.unknown', { input: 'x' });
  const told = () =>
    diagnose(kit.client.temporal, run.id, {
      namespace: kit.temporal.client.options.namespace,
      taskQueue: kit.taskQueue,
    });
  const message = 'No worker on this task queue knows the agent `diagnosed.unknown`; it knows `diagnosed.starter`';
  await until(async () => (await told())?.startsWith(message) === true, 'the missing agent');
  await run.cancel();
});

test('a start that is retried is reported with its attempt and its error', async () => {
  kit.model.script(text('Hello.'));
  const run = await kit.start(starter, { input: 'x' });
  const told = () =>
    diagnose(kit.client.temporal, run.id, {
      namespace: kit.temporal.client.options.namespace,
      taskQueue: kit.taskQueue,
    });
  await until(
    async () => (await told())?.startsWith('starting: attempt 3, contextBuilder of') === true,
    'the third attempt',
  );
  expect(await told()).toContain('no database');
  up = true;
  expect((await run.result()).data).toBe('Hello.');
});
