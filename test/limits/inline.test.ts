import { defineAgent, defineTool } from 'holdfast';
import { type AgentTestEnvironment, calls, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';

const page = defineTool({
  description: 'A page',
  effect: 'read',
  placement: 'inline',
  input: z.object({ n: z.number() }),
  run: ({ n }) => String(n).padEnd(60 * 1024, 'x'),
});
const reader = defineAgent({ name: 'limits.reader', tools: { page }, limits: { maxResultChars: 100_000 } });

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [reader], server: 'dev' });
});
afterAll(() => kit.close());

it('forty inline results of 60 KB in one workflow task do not end the run', async () => {
  kit.model.script(calls(...Array.from({ length: 40 }, (_, n): [string, { n: number }] => ['page', { n }])), (turn) => {
    expect(turn.request.messages.filter((message) => message.role === 'tool')).toHaveLength(40);
    return text('read');
  });
  const run = await kit.start(reader, { input: {} });
  expect((await run.result()).data).toBe('read');
  const { events } = await kit.history(run);
  const names = events?.flatMap((event) => event.activityTaskScheduledEventAttributes?.activityType?.name ?? []);
  expect(names?.filter((name) => name === 'page')).toEqual([]);
});
