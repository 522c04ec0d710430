import { defineAgent } from 'holdfast';
import { type AgentTestEnvironment, createAgentTestEnvironment, fault, text } from 'holdfast/testing';
import { z } from 'zod';
import { newGate } from '../gate';
import { until } from '../until';
import { type Limited, mostAtOnce, withLimits } from './limited';
import { usageOf } from './usage-of';

const task = defineAgent({ name: 'limited.task', instructions: 'Work.' });
const chat = defineAgent({ name: 'limited.chat', mode: 'conversation', instructions: 'Talk.' });
const counter = defineAgent({
  name: 'limited.counter',
  instructions: 'Count.',
  outputSchema: z.object({ n: z.number() }),
});
const agents = [task, chat, counter];

let kit: AgentTestEnvironment;
let limited: Limited;
beforeEach(async () => {
  kit = await createAgentTestEnvironment({ agents, server: 'dev' });
});
afterEach(async () => {
  await limited.close();
  await kit.close();
});

const start = (count: number, name: string) =>
  Promise.all(Array.from({ length: count }, (_, i) => kit.start(task, { id: `${name}-${i}`, input: name })));
const usage = () => usageOf(kit.temporal.client.workflow, 'default');

test('two workers together make no more calls at once than `concurrent`, and a person goes first', async () => {
  const { open, opened } = newGate();
  limited = await withLimits(kit, {
    ...{ agents, limits: { concurrent: 2 } },
    answer: async () => {
      await opened;
      return text('done');
    },
  });
  const runs = await start(8, 'batch');
  await until(() => limited.calls.length === 2, 'the first calls');
  const talk = kit.conversation(chat, { id: 'talk' });
  const answered = talk.ask('person: hello');
  await until(async () => (await usage()).waiting === 7, 'all others in line');
  open();
  expect(await answered).toMatchObject({ type: 'answer', text: 'done' });
  await Promise.all(runs.map((run) => run.result()));
  expect(limited.calls).toHaveLength(9);
  expect(mostAtOnce(limited.calls)).toBe(2);
  // The next two leases may be granted at the same moment.
  expect(limited.calls.slice(2, 4)).toContainEqual(expect.objectContaining({ interactive: true }));
  await until(async () => Object.keys((await usage()).open).length === 0, 'the last lease to be settled');
  await talk.close();
  await talk.result();
});

test('five calls in a minute, from both workers; a cancelled run leaves the line', async () => {
  limited = await withLimits(kit, { agents, limits: { requestsPerMinute: 5 }, answer: () => text('done') });
  const runs = await start(7, 'batch');
  await until(() => limited.calls.length === 5, 'the first calls');
  await until(async () => (await usage()).waiting === 2, 'two calls in line');
  const states = await Promise.all(runs.map((run) => run.state()));
  const [first, second] = runs.filter((_, i) => states[i]?.status === 'running');
  await first?.cancel();
  await expect(first?.result()).rejects.toMatchObject({ type: 'Cancelled' });
  await until(async () => (await usage()).waiting === 1, 'one call in line');
  expect(limited.calls).toHaveLength(5);
  await second?.cancel();
  await expect(second?.result()).rejects.toMatchObject({ type: 'Cancelled' });
});

test('the wait that a provider asks one worker for holds for the others too', async () => {
  limited = await withLimits(kit, {
    ...{ agents, limits: { requestsPerMinute: 1000 } },
    answer: (_, { number }) =>
      number === 1 ? fault({ kind: 'status', status: 429, headers: { 'retry-after': '3' } }) : text('done'),
  });
  const [first] = await start(1, 'first');
  await until(() => limited.calls.length === 1, 'the refused call');
  await until(async () => (await usage()).blockedUntil > Date.now(), 'the wait to be known');
  const others = await start(6, 'others');
  await Promise.all([first, ...others].map((run) => run?.result()));
  const [refused, ...later] = limited.calls;
  for (const { begun } of later) expect(begun - (refused?.begun ?? 0)).toBeGreaterThan(2900);
});

test('a request in place of one whose output format was refused takes a lease of its own', async () => {
  const refused = fault({ kind: 'status', status: 400, message: 'response_format is not supported' });
  limited = await withLimits(kit, {
    ...{ agents, limits: { requestsPerMinute: 5, concurrent: 1 } },
    answer: ({ response_format: format }) => (format === undefined ? text('{"n":1}') : refused),
  });
  const first = await kit.start(counter, { id: 'first', input: 'count' });
  expect((await first.result()).data).toEqual({ n: 1 });
  expect(limited.calls).toHaveLength(3);
  const second = await kit.start(counter, { id: 'second', input: 'count' });
  await until(async () => limited.calls.length === 5 && (await usage()).waiting === 1, 'the last request in line');
  expect((await usage()).slots.reduce((sum, { requests }) => sum + requests, 0)).toBe(5);
  await second.cancel();
  await expect(second.result()).rejects.toMatchObject({ type: 'Cancelled' });
  expect(limited.calls).toHaveLength(5);
});
