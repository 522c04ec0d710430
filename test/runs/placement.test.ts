import { defineAgent, defineTool } from 'holdfast';
import { type AgentTestEnvironment, calls, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';

const ran: string[] = [];
const input = z.object({});
const inline = (name: string, run: () => unknown) =>
  defineTool({
    description: name,
    effect: 'read',
    placement: 'inline',
    inputSchema: input,
    execute: async (_, ctx) => {
      ran.push(`${name} ${ctx.toolUseId}`);
      return run();
    },
  });
let flaky = 0;

const agent = defineAgent({
  name: 'test.placement',
  tools: {
    quick: inline('quick', () => 'quick'),
    broken: inline('broken', () => {
      throw new Error('broken');
    }),
    normal: defineTool({ description: 'normal', effect: 'read', inputSchema: input, execute: () => 'normal' }),
    flaky: defineTool({
      description: 'Fails twice',
      effect: 'idempotent',
      attempts: 3,
      inputSchema: input,
      execute: (_, ctx) => {
        flaky++;
        ran.push(String(ctx.idempotencyKey));
        if (flaky < 3) throw new Error('not yet');
        return 'at last';
      },
    }),
    capped: defineTool({
      description: 'Listed by policy',
      effect: 'read',
      inputSchema: input,
      execute: () => new Promise(() => {}),
    }),
  },
  policies: { capped: { timeout: 200, priority: 5 } },
});

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [agent] });
});
afterAll(() => kit.close());
afterEach(() => {
  kit.model.reset();
  ran.length = 0;
});

/** Names of the activities that a run scheduled. */
async function activities(run: { id: string }): Promise<(string | null | undefined)[]> {
  const { events } = await kit.history(run);
  return (events ?? []).flatMap((e) => e.activityTaskScheduledEventAttributes?.activityType?.name ?? []);
}
const tools = async (run: { id: string }) => (await activities(run)).filter((name) => !name?.startsWith('holdfast.'));

async function results(...asked: string[]): Promise<{ run: { id: string }; results: string[] }> {
  let seen: string[] = [];
  kit.model.script(calls(...asked.map((name): [string] => [name])), (turn) => {
    seen = turn.request.messages.filter((m) => m.role === 'tool').map((m) => String(m.content));
    return text('done');
  });
  const run = await kit.start(agent, { input: {} });
  await run.result();
  await kit.replay(run);
  return { run, results: seen };
}

test('inline tools run in separate activities, all at once', async () => {
  const { run, results: seen } = await results('quick', 'normal', 'broken');
  expect(seen).toEqual(['quick', 'normal', expect.stringContaining('broken')]);
  expect(await tools(run)).toEqual(['quick', 'normal', 'broken']);
  expect(ran.sort()).toEqual(['broken t1.3', 'quick t1.1']);
});

test('a tool with attempts left is tried again under the same key before the model hears of it', async () => {
  const { results: seen } = await results('flaky');
  expect(seen).toEqual(['at last']);
  expect(new Set(ran).size).toBe(1);
  expect(ran).toHaveLength(3);
});

test("the agent's policies override what a tool declares", async () => {
  const { results: seen } = await results('capped', 'quick');
  expect(seen).toEqual([expect.stringContaining('within 0.2 s')]);
});
