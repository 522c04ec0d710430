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
    input,
    run: async (_, ctx) => {
      ran.push(`${name} ${ctx.toolUseId}`);
      return run();
    },
  });
let flaky = 0;

const agent = defineAgent({
  name: 'test.placement',
  tools: {
    quick: inline('quick', () => 'quick'),
    slow: inline('slow', () => new Promise((done) => setTimeout(() => done('slow'), 900))),
    large: inline('large', () => 'x'.repeat(100_000)),
    broken: inline('broken', () => {
      throw new Error('broken');
    }),
    normal: defineTool({ description: 'normal', effect: 'read', input, run: () => 'normal' }),
    flaky: defineTool({
      description: 'Fails twice',
      effect: 'idempotent',
      attempts: 3,
      input,
      run: (_, ctx) => {
        flaky++;
        ran.push(String(ctx.idempotencyKey));
        if (flaky < 3) throw new Error('not yet');
        return 'at last';
      },
    }),
    capped: defineTool({ description: 'Listed by policy', effect: 'read', input, run: () => new Promise(() => {}) }),
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

/** Names of the activities that a run scheduled, local ones excluded. */
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

test('a batch of inline tools alone runs with the workflow task, all at once, without events of its own', async () => {
  const { run, results: seen } = await results('quick', 'quick', 'broken');
  expect(seen).toEqual(['quick', 'quick', expect.stringContaining('broken')]);
  expect(await tools(run)).toEqual([]);
  expect(ran).toEqual(['quick t1.1', 'quick t1.2', 'broken t1.3']);
});

test('one normal tool makes the whole batch activities', async () => {
  const { run, results: seen } = await results('quick', 'normal');
  expect(seen).toEqual(['quick', 'normal']);
  expect(await tools(run)).toEqual(['quick', 'normal']);
});

test('a batch of which the results might not fit into one workflow task runs as activities', async () => {
  const { run, results: seen } = await results(...Array<string>(41).fill('quick'));
  expect(seen).toHaveLength(41);
  expect(await tools(run)).toHaveLength(41);
});

test.each(['slow', 'large'])('a %s one is made again as an activity of its own', async (name) => {
  const { run, results: seen } = await results('quick', name);
  expect(seen[1]?.slice(0, 4)).toBe(name === 'slow' ? 'slow' : 'xxxx');
  expect(await tools(run)).toEqual([name]);
  expect(ran.filter((line) => line.startsWith(name))).toHaveLength(2);
});

test('a tool with attempts left is tried again under the same key before the model hears of it', async () => {
  const { results: seen } = await results('flaky');
  expect(seen).toEqual(['at last']);
  expect(new Set(ran).size).toBe(1);
  expect(ran).toHaveLength(3);
});

test("the agent's policies go over what a tool says of itself", async () => {
  const { results: seen } = await results('capped', 'quick');
  expect(seen).toEqual([expect.stringContaining('within 0.2 s')]);
});
