import { defineAgent, defineTool } from 'holdfast';
import { type AgentTestEnvironment, calls, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import { readExported } from '../../cli/export/exported';

const agent = defineAgent({
  name: 'test.long',
  limits: { maxToolInteractions: 1000 },
  tools: {
    look: defineTool({
      description: 'looks',
      inputSchema: z.object({ n: z.number() }),
      effect: 'read',
      execute: ({ n }) => `seen ${n}`,
    }),
  },
});

let kit: AgentTestEnvironment;
beforeAll(async () => {
  const serverSettings = ['limit.historyCount.suggestContinueAsNew=100'];
  kit = await createAgentTestEnvironment({ agents: [agent], server: 'dev', serverSettings });
});
afterAll(() => kit.close());
afterEach(() => kit.model.reset());

test('a task goes on in new histories, and its facts have no gap', async () => {
  const turns = 60;
  for (let n = 1; n <= turns; n++) kit.model.script(calls(['look', { n }]));
  kit.model.script(text('done'));
  const run = await kit.start(agent, { input: 'go' });
  await expect(run.result()).resolves.toMatchObject({ data: 'done' });
  const state = await run.state();
  expect(state.turn).toBe(turns + 1);
  const facts = [];
  for await (const fact of run.facts()) facts.push(fact);
  expect(facts.map(({ seq }) => seq)).toEqual(facts.map((_, i) => i + 1));
  expect(facts.filter(({ type }) => type === 'tool.result')).toHaveLength(turns);
  expect(facts.filter(({ type }) => type === 'run.continued').length).toBeGreaterThan(2);
  const messages = await run.transcript();
  expect(messages).toHaveLength(2 * turns + 2);
  const exported = await readExported(kit.client.temporal, run.id, { workerTimeout: 20_000, full: true });
  expect(exported.facts).toEqual(facts);
  expect(exported.messages).toEqual(messages);
});
