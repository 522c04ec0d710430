import { defineAgent, defineTool } from 'holdfast';
import { type AgentTestEnvironment, call, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';

const look = defineTool({
  description: 'Looks something up',
  effect: 'read',
  inputSchema: z.object({ id: z.string() }),
  execute: ({ id }) => `found ${id}`,
});
const desk = defineAgent({ name: 'form.desk', instructions: 'Find orders.', tools: { 'order.find': look } });

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [desk] });
});
afterAll(() => kit.close());

it('gives the messages as OpenAI chat messages: what the model was sent, with our ids of the calls', async () => {
  kit.model.script({ ...call('order_find', { id: 'a1' }), text: 'Let me look.' }, text('It is there.'));
  const run = await kit.start(desk, { input: 'Where is a1?' });
  await run.result();
  const [system, question, ...rest] = await run.transcript({ form: 'openai' });
  expect([system, question]).toEqual(kit.model.requests[0]?.body.messages);
  expect(rest).toEqual([
    {
      role: 'assistant',
      content: 'Let me look.',
      tool_calls: [{ id: 't1.1', type: 'function', function: { name: 'order_find', arguments: '{"id":"a1"}' } }],
    },
    { role: 'tool', tool_call_id: 't1.1', content: 'found a1' },
    { role: 'assistant', content: 'It is there.' },
  ]);
  expect(await run.transcript({ form: 'openai', from: 2 })).toEqual(rest.slice(1));
});
