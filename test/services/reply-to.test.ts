import { defineAgent } from 'holdfast';
import { type AgentTestEnvironment, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import { waitForFact } from '../facts';
import { endOf } from './stage';

const agent = defineAgent({ name: 'test.replies', inputSchema: z.any(), instructions: 'replies' });
let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [agent], server: 'dev' });
});
afterAll(() => kit.close());

test.each([
  ['has no id', ''],
  ['has an id that no workflow can have', 'x'.repeat(2000)],
])('a reply to a run that %s is reported as undeliverable, and the run ends', async (_, parentSubject) => {
  kit.model.reset();
  kit.model.script(text('done'));
  const event = {
    specversion: '1.0',
    id: 'e1',
    source: 'a-sender',
    subject: 's1',
    type: `arvo.orc.${agent.name}`,
    data: { parentSubject$$: parentSubject },
  };
  const workflowId = `replies-${parentSubject.length}`;
  await kit.temporal.client.workflow.start(agent.name, { workflowId, taskQueue: kit.taskQueue, args: [event] });
  const run = kit.client.get(workflowId);
  expect(await endOf(run)).toBe('done');
  await waitForFact(run, 'reply.failed');
});
