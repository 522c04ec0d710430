import { agentService, defineAgent } from 'holdfast';
import { type AgentTestEnvironment, calls, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import { endOf, outcomes } from './stage';

const mate = defineAgent({ name: 'test.mate', inputSchema: z.object({ sku: z.string() }), instructions: 'mate' });
const agent = defineAgent({ name: 'test.long', instructions: 'long', services: { mate: agentService(mate) } });
let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [agent, mate], server: 'dev' });
});
afterAll(() => kit.close());

test('a child whose id would be too long is an error for the model', async () => {
  kit.model.script(calls(['mate', { sku: 'a' }]), text('done'));
  const workflowId = 'x'.repeat(998);
  const options = { workflowId, taskQueue: kit.taskQueue, args: [{ input: 'go' }] };
  await kit.temporal.client.workflow.start(agent.name, options as never);
  const run = kit.client.get(workflowId);
  expect(await endOf(run)).toBe('done');
  expect(await outcomes(run)).toEqual({ 't1.1': expect.stringContaining('ServiceFailed') });
});
