import { defineAgent } from 'holdfast';
import { type AgentTestEnvironment, createAgentTestEnvironment, text } from 'holdfast/testing';
import { endOf } from '../services/stage';

const agent = defineAgent({ name: 'test.child', instructions: 'child' });
let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [agent], server: 'dev' });
});
afterAll(() => kit.close());

test.each([
  null,
  'a',
  {},
  { agent: 'test.parent', id: 7, toolUseId: 't1.1', lineage: ['test.parent'] },
  { agent: 'test.parent', id: 'p', toolUseId: 't1.1', lineage: 7 },
  { agent: 'test.parent', id: 'p', toolUseId: 't1.1', lineage: [7] },
  { agent: 'test.parent', id: 'p', lineage: [] },
])(
  'a start that names %j as its delegator is refused',
  async (delegatedBy) => {
    kit.model.reset();
    kit.model.script(text('done'));
    const workflowId = `delegated-${Math.random()}`;
    const args = [{ input: 'go', delegatedBy }];
    const options = { workflowId, taskQueue: kit.taskQueue, args };
    await kit.temporal.client.workflow.start(agent.name, options as never);
    expect(await endOf(kit.client.get(workflowId))).toBe('InvalidInput');
  },
  15_000,
);
