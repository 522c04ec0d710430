import { defineAgent } from 'holdfast';
import { type AgentTestEnvironment, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';

const host = defineAgent({
  name: 'throws.host',
  limits: { startPatience: '1s' },
  outputSchema: z.object({ at: z.string().transform((url) => new URL(url).host) }),
});

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [host] });
});
afterAll(() => kit.close());

it('an output schema that throws ends the run with what it threw, after the patience', async () => {
  kit.model.script(text('{"at":"not a url"}'));
  const run = await kit.start(host, { input: 'go' });
  await expect(run.result()).rejects.toThrow(/Invalid URL/);
  expect(kit.model.requests).toHaveLength(1);
});
