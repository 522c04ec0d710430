import { defineAgent, defineTool, type Fact } from 'holdfast';
import { type AgentTestEnvironment, calls, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import { factsOf } from '../facts';

const input = z.object({ n: z.number().optional() });
const inline = (run: (n: number) => unknown, more: object = {}) =>
  defineTool({
    description: 'Reads',
    effect: 'read',
    placement: 'inline',
    inputSchema: input,
    execute: ({ n = 0 }) => run(n),
    ...more,
  });
const ran = { slow: 0, flaky: 0 };

const agent = defineAgent({
  name: 'test.inline',
  tools: {
    look: inline((n) => `seen ${n}`),
    broken: inline(() => {
      throw new Error('no such file');
    }),
    slow: inline(async () => {
      ran.slow++;
      await new Promise((resolve) => setTimeout(resolve, ran.slow === 1 ? 5000 : 0));
      return 'slow';
    }),
    flaky: inline(
      () => {
        if (++ran.flaky < 3) throw new Error('not yet');
        return 'at last';
      },
      { attempts: 3 },
    ),
    write: defineTool({ description: 'Writes', inputSchema: input, execute: () => 'written' }),
  },
});

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [agent] });
});
afterAll(() => kit.close());
afterEach(() => kit.model.reset());

interface Seen {
  run: { id: string };
  /** What the model read. */
  results: string[];
  facts: readonly Fact[];
  /** Names of the activities, without that of the start. */
  activities: string[];
}

async function answered(...asked: Parameters<typeof calls>): Promise<Seen> {
  let results: string[] = [];
  kit.model.script(calls(...asked), (turn) => {
    results = turn.request.messages.filter((m) => m.role === 'tool').map((m) => String(m.content));
    return text('done');
  });
  const run = await kit.start(agent, { input: {} });
  await run.result();
  await kit.replay(run);
  const { events } = await kit.history(run);
  const names = (events ?? []).flatMap((e) => e.activityTaskScheduledEventAttributes?.activityType?.name ?? []);
  return { run, results, facts: await factsOf(run), activities: names.slice(1) };
}

test('a turn whose calls only look something up is one activity', async () => {
  const { results, activities, facts } = await answered(
    ['look', { n: 1 }],
    ['broken'],
    ['nowhere'],
    ['look', { n: 2 }],
  );
  expect(results).toEqual([
    'seen 1',
    expect.stringContaining('no such file'),
    expect.stringContaining('no tool named'),
    'seen 2',
  ]);
  expect(activities).toEqual(['holdfast.callModel', 'holdfast.callModel']);
  const told = facts.filter(({ type }) => type === 'tool.result' || (type as string) === 'tool.error');
  const withTimes = told.flatMap((fact) => ('ran' in fact && fact.ran !== undefined ? [fact] : []));
  expect(withTimes.map(({ type }) => type)).toEqual(['tool.result', 'tool.error', 'tool.result']);
  for (const { ran: times, time } of withTimes) {
    expect(times?.start).toBeLessThanOrEqual(Number(times?.end));
    expect(times?.start).toBeGreaterThan(time - 60_000);
  }
});

test('each further turn of such calls adds six events', async () => {
  const lengths = [];
  for (const turns of [1, 4]) {
    kit.model.script(...Array.from({ length: turns }, (_, n) => calls(['look', { n }])), text('done'));
    const run = await kit.start(agent, { input: {} });
    await run.result();
    lengths.push((await kit.history(run)).events?.length ?? 0);
  }
  expect((Number(lengths[1]) - Number(lengths[0])) / 3).toBe(6);
});

test('a call that takes longer, or may be tried again, becomes a separate activity', async () => {
  const { results, activities } = await answered(['look', { n: 1 }], ['slow'], ['flaky']);
  expect(results).toEqual(['seen 1', 'slow', 'at last']);
  expect(activities).toEqual(['holdfast.callModel', 'slow', 'flaky', 'holdfast.callModel']);
});

test('beside a call that changes something all calls are activities', async () => {
  const { results, activities } = await answered(['look', { n: 1 }], ['write']);
  expect(results).toEqual(['seen 1', 'written']);
  expect(activities).toEqual(['holdfast.callModel', 'look', 'write', 'holdfast.callModel']);
});

test('a concluding call runs no tools', async () => {
  const brief = kit.model;
  brief.script(...Array.from({ length: 25 }, (_, n) => calls(['look', { n }])), calls(['look', { n: 99 }]));
  const run = await kit.start(agent, { input: {} });
  await run.result().catch(() => undefined);
  const facts = await factsOf(run);
  expect(facts.filter(({ type }) => type === 'tool.result')).toHaveLength(25);
  await kit.replay(run);
});
