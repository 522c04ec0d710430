import { defineAgent } from 'holdfast';
import { type AgentTestEnvironment, createAgentTestEnvironment, text } from 'holdfast/testing';

const base = { name: 'test.chat', mode: 'conversation', outputBuilder: () => ({ data: 'old' }) } as const;
const versions = { '1.0.0': {}, '2.0.0': { outputBuilder: () => ({ data: 'new' }) } };
const agents = [defineAgent(base)];

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents, server: 'dev' });
});
afterAll(() => kit.close());

test('a run that began before its agent had versions goes on as version 1.0.0, and later runs are of the newest', async () => {
  kit.model.script(text('a'), text('b'), text('c'));
  const before = kit.conversation(base.name, { id: 'before' });
  expect((await before.answerTo(await before.send('Hi'))).data).toBe('old');

  await kit.stopWorker();
  agents[0] = defineAgent({ ...base, versions }) as (typeof agents)[0];
  await kit.startWorker();
  expect((await before.answerTo(await before.send('And?'))).data).toBe('old');
  const after = kit.conversation(base.name, { id: 'after' });
  expect((await after.answerTo(await after.send('Hi'))).data).toBe('new');
});
