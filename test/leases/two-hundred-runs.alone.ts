import { defineAgent, defineTool } from 'holdfast';
import { type AgentTestEnvironment, call, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import { until } from '../until';
import { type Limited, mostIn, withLimits } from './limited';

const CALLS = 4;
const look = defineTool({ description: 'Looks', effect: 'read', inputSchema: z.object({}), execute: () => 'seen' });
const task = defineAgent({ name: 'limited.task', instructions: 'Work.', tools: { look } });
const chat = defineAgent({ name: 'limited.chat', mode: 'conversation', instructions: 'Talk.' });

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [task, chat], server: 'dev' });
});
afterAll(() => kit.close());

let limited: Limited;
afterEach(() => limited.close());

test('200 runs and 20 people at 600 calls a minute on two workers: never more, none starves, people go first', async () => {
  limited = await withLimits(kit, {
    ...{ agents: [task, chat], limits: { requestsPerMinute: 600 } },
    answer: ({ messages }) =>
      messages.filter(({ role }) => role === 'tool').length < CALLS - 1 && messages.at(1)?.content === 'work'
        ? call('look', {})
        : text('done'),
  });
  const begun = Date.now();
  const runs = await Promise.all(
    Array.from({ length: 200 }, (_, i) => kit.start(task, { id: `run-${i}`, input: 'work' })),
  );
  // The start of two hundred runs at once is work for the machine, whatever the limit is.
  await until(() => limited.calls.length >= runs.length, 'the first call of each run', 120_000);
  const waits = await Promise.all(
    Array.from({ length: 20 }, async (_, i) => {
      const asked = Date.now();
      await kit.conversation(chat, { id: `talk-${i}` }).ask('person: hello');
      return Date.now() - asked;
    }),
  );
  const took = await Promise.all(runs.map((run) => run.result().then(() => Date.now() - begun)));
  const calls = limited.calls.length;
  console.log(
    `${calls} calls in ${Math.round((Date.now() - begun) / 1000)} s; most in a minute ${mostIn(limited.calls, 60_000)}; ` +
      `people waited at most ${Math.max(...waits)} ms; runs took ${Math.min(...took)} to ${Math.max(...took)} ms`,
  );
  expect(calls).toBe(200 * CALLS + 20);
  expect(mostIn(limited.calls, 60_000)).toBeLessThanOrEqual(600);
  // Twenty people, one after another, and some of them behind a full second.
  expect(Math.max(...waits)).toBeLessThan(10_000);
});
