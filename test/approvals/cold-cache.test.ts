import { defineAgent, defineContract, defineTool, signalService } from 'holdfast';
import { type AgentTestEnvironment, calls, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';

const ran: string[] = [];
const count = defineContract({
  type: 'store.count',
  versions: {
    '1.0.0': { accepts: z.object({}), emits: { 'evt.store.count.success': z.object({ left: z.number() }) } },
  },
});
const waits = (name: string, approval: Parameters<typeof defineTool>[0]['approval']) =>
  defineTool({
    description: name,
    inputSchema: z.object({}),
    approval: approval ?? 'always',
    execute: () => {
      ran.push(name);
      return name;
    },
  });
const agent = defineAgent({
  name: 'test.cold',
  tools: { pay: waits('pay', 'always'), brief: waits('brief', { expires: '1h' }) },
  services: {
    count: signalService(count, '1.0.0'),
    asked: signalService(count, '1.0.0', { approval: 'always' }),
    short: signalService(count, '1.0.0', { timeout: '1h' }),
  },
});

let kit: AgentTestEnvironment;
beforeAll(async () => {
  // Every task is replayed from the beginning, as on a worker that has just taken over the run.
  kit = await createAgentTestEnvironment({ agents: [agent], maxCachedWorkflows: 0 });
});
afterAll(() => kit.close());
afterEach(() => {
  kit.model.reset();
  ran.length = 0;
});

test('decisions and answers are checked on a worker without a cache as on the one where the run began', async () => {
  kit.model.script(calls(['pay'], ['count'], ['asked']), text('done'));
  const run = await kit.start(agent, { input: 'go' });
  await run.waiting({ atLeast: { approvals: 2 } });
  await run.approve({ toolUseId: 't1.1' }, { by: 'ann' });
  // One after the other, each in a separate task.
  await run.workflow.signal('approve', { toolUseId: 't1.3', by: 'ann' });
  await run.waiting({ atLeast: { services: 2 } });
  await kit.client.completeCall(run.id, 't1.3', { data: { left: 3 } });
  await kit.client.completeCall(run.id, 't1.2', { data: { left: 2 } });
  expect((await run.result()).data).toBe('done');
  expect((await run.state()).ignored).toEqual({});
  await kit.replay(run);
});

test('a late decision is also refused on a worker without a cache', async () => {
  kit.model.script(calls(['pay'], ['brief'], ['short']), text('done'));
  const run = await kit.start(agent, { input: 'go' });
  await run.waiting({ atLeast: { approvals: 2 } });
  await kit.skip('2h');
  await run.workflow.signal('approve', { toolUseId: 't1.2', by: 'ann' });
  await kit.client.completeCall(run.id, 't1.3', { data: { left: 3 } });
  await expect(run.approve({ toolUseId: 't1.2' }, { by: 'ann' })).rejects.toMatchObject({ type: 'ApprovalExpired' });
  await run.approve({ toolUseId: 't1.1' }, { by: 'ann' });
  await run.result();
  expect(ran).toEqual(['pay']);
  expect((await run.state()).ignored).toEqual({ ApprovalExpired: 1, LateAnswer: 1 });
  await kit.replay(run);
});
