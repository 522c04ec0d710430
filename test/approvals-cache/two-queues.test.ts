import { defineAgent } from 'holdfast';
import { AgentClient, type RunHandle } from 'holdfast/client';
import { type AgentTestEnvironment, call, createAgentTestEnvironment, text } from 'holdfast/testing';
import { pay } from '../approvals/desk';
import { factsOf } from '../facts';
import { openWorker } from './second-worker';

const agent = defineAgent({ name: 'test.shared', instructions: 'pay', tools: { one: pay('one', 'always') } });
let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [agent], server: 'dev' });
});
afterAll(() => kit.close());

const starts = (client: AgentClient) => {
  kit.model.script(call('one', { amount: 1 }), text('ok'));
  return client.start(agent, { input: 'go' }) as Promise<RunHandle<string>>;
};

test('workers on two task queues share remembered decisions, and one finds them when the other has gone', async () => {
  const other = await openWorker(kit, 'other', [agent]);
  const there = await starts(new AgentClient(kit.temporal.client, { taskQueue: 'other' }));
  await there.approve((await there.waiting({ atLeast: { approvals: 1 } })).approvals[0], {
    by: 'ann',
    remember: 'agent',
  });
  await there.result();

  const here = await starts(kit.client);
  await here.result();
  expect(await factsOf(here, 'approval.remembered')).toMatchObject([{ by: 'ann', allowed: true }]);

  await other.close();
  const before = Date.now();
  const later = await starts(kit.client);
  await later.result();
  expect(Date.now() - before).toBeLessThan(20_000);
  expect(await factsOf(later, 'approval.requested')).toEqual([]);
  expect(await kit.client.approvals(agent).list()).toMatchObject([{ tool: 'one', by: 'ann' }]);
});
