import { defineAgent, defineTool } from 'holdfast';
import { type AgentTestEnvironment, call, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import { factsOf, waitForFact } from '../facts';
import { expectWhole, outcomes } from '../services/stage';
import { until } from '../until';

const amount = z.object({ amount: z.number() });
const paid: string[] = [];
const undone: string[] = [];

/** A deploy takes tools away from the worker by removing them here, and another one brings them back. */
const tools: { [name: string]: ReturnType<typeof defineTool> } = {};
const pay = defineTool({
  description: 'Pays',
  inputSchema: amount,
  execute: (_, { idempotencyKey = '' }) => {
    paid.push(idempotencyKey);
    return 'paid';
  },
  undo: (_, __, { idempotencyKey = '' }) => {
    undone.push(idempotencyKey);
  },
});
const abandoned = defineTool({
  description: 'Is left behind',
  inputSchema: amount,
  cancellation: 'abandon',
  execute: () => 'x',
});
const ALL = { pay, abandoned };
const deploy = () => void Object.assign(tools, ALL);
const remove = (name: keyof typeof ALL) => void delete tools[name];

deploy();
const clerk = defineAgent({ name: 'test.clerk', tools });
const talker = defineAgent({ name: 'test.talker', mode: 'conversation', tools });

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [clerk, talker] });
});
afterAll(() => kit.close());
afterEach(() => {
  deploy();
  kit.model.reset();
  paid.length = 0;
  undone.length = 0;
});

/** A step of the script that calls a tool which the worker has just lost. */
const losing = (name: keyof typeof ALL, args: object) => () => {
  remove(name);
  return call(name, args as never);
};

/** Ids under which activities of a type were scheduled. */
async function scheduled(run: { id: string }, type: string): Promise<string[]> {
  const { events } = await kit.history(run);
  return (events ?? [])
    .map(({ activityTaskScheduledEventAttributes: it }) => it)
    .filter((it) => it?.activityType?.name === type)
    .map((it) => it?.activityId ?? '');
}

/** Waits until an activity was scheduled this often. */
const tries = (run: { id: string }, type: string, n: number) =>
  until(async () => (await scheduled(run, type)).length >= n, `${n} tries of ${type}`);

/** Waits until the next try only needs time: the test server cannot cancel an activity that is just ending. */
const pausing = (run: { id: string }) =>
  until(async () => {
    const { events = [] } = await kit.history(run);
    return events?.some(({ timerStartedEventAttributes: timer }) => timer != null) ?? false;
  }, 'the pause before the next try');

test('a call of a `once` tool is scheduled again until a worker has the tool, and runs once', async () => {
  kit.model.script(losing('pay', { amount: 1 }), text('done'));
  const run = await kit.start(clerk, { input: null });
  const ended = run.result();
  await tries(run, 'pay', 3);
  deploy();
  expect((await ended).data).toBe('done');
  expect(paid).toHaveLength(1);
  const ids = await scheduled(run, 'pay');
  expect(ids).toEqual(ids.map((_, i) => (i === 0 ? 't1.1' : `t1.1~${i + 1}`)));
  expect(await outcomes(run)).toEqual({ 't1.1': 'paid' });
  expect(await run.toolResult('t1.1')).toEqual([{ type: 'text', text: 'paid' }]);
  await expectWhole(kit, run);
});

test('after a minute of tries the model reads `ToolMissing`', async () => {
  kit.model.script(losing('pay', { amount: 1 }), text('done'));
  const run = await kit.start(clerk, { input: null });
  expect((await run.result()).data).toBe('done');
  expect(await outcomes(run)).toEqual({
    't1.1':
      'ToolMissing: `pay` was not run: no worker has the tool `pay`. Do not call it again. Use another tool, or say in your ' +
      'answer what you could not do.',
  });
  const facts = await factsOf(run);
  const at = (type: string) => facts.find((fact) => fact.type === type)?.time ?? 0;
  expect(at('tool.error') - at('tool.call')).toBeGreaterThanOrEqual(60_000);
  expect(at('tool.error') - at('tool.call')).toBeLessThan(80_000);
  await expectWhole(kit, run);
});

test.each(['pay', 'abandoned'] as const)('a cancel ends the wait, and the call was not begun (%s)', async (name) => {
  kit.model.script(losing(name, { amount: 1 }));
  const run = await kit.start(clerk, { input: null });
  await pausing(run);
  await run.cancel();
  await expect(run.result()).rejects.toMatchObject({ type: 'Cancelled' });
  expect(Object.values(await outcomes(run))).toEqual([expect.stringContaining('ToolCancelled')]);
  await kit.replay(run);
});

test('an interrupt ends the wait', async () => {
  kit.model.script(losing('pay', { amount: 1 }), text('hello'));
  const run = kit.conversation(talker, { id: 'talk' });
  await run.send('pay');
  await pausing(run);
  await run.interrupt();
  await waitForFact(run, 'exchange.end');
  await run.close();
  await run.result();
  expect(await outcomes(run)).toEqual({ 't1.1': expect.stringContaining('ToolCancelled') });
  await expectWhole(kit, run);
});

test('an inverse is scheduled again until a worker has it, and runs once', async () => {
  kit.model.script(call('pay', { amount: 1 }), text('paid'));
  const run = kit.conversation(talker, { id: 'take back' });
  await run.send('pay');
  await waitForFact(run, 'exchange.end');
  remove('pay');
  const undoing = run.undo({ toolUseId: 't1.1' });
  await pausing(run);
  deploy();
  await kit.skip('10s');
  expect(await undoing).toMatchObject({ undone: [{ toolUseId: 't1.1', text: 'done' }] });
  expect(undone).toHaveLength(1);
  await run.close();
  await run.result();
  await expectWhole(kit, run);
});
