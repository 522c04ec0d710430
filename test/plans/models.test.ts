import { defineAgent, defineTool } from 'holdfast';
import { type AgentTestEnvironment, call, createAgentTestEnvironment, fault, text } from 'holdfast/testing';
import { z } from 'zod';
import { move } from '../chains/move';
import { factsOf } from '../facts';
import { newGate } from '../gate';
import { until } from '../until';
import { plans, step } from './planner';

const ran: string[] = [];
let entered = newGate();
let released = newGate();
const pay = defineTool({
  description: 'Pays a bill',
  inputSchema: z.object({ amount: z.number() }),
  execute: async ({ amount }) => {
    ran.push(`pay ${amount}`);
    entered.open();
    await released.opened;
    return `paid ${amount}`;
  },
});
const agent = defineAgent({
  name: 'test.models',
  model: 'main',
  models: { planner: 'large', router: 'tiny', synthesis: 'writer' },
  tools: { pay },
  strategy: 'plan',
});
const asked = defineAgent({ name: 'test.asked', tools: { pay }, strategy: { type: 'plan', approval: 'always' } });

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [agent, asked], server: 'dev' });
});
afterAll(() => kit.close());
beforeEach(() => {
  entered = newGate();
  released = newGate();
});
afterEach(() => {
  ran.length = 0;
  kit.model.reset();
});

test('each purpose has its model, and its usage names both', async () => {
  released.open();
  kit.model.script(plans(step(1, 'Pay')), call('pay', { amount: 1 }), text('Paid.'));
  const run = await kit.start(agent, { input: 'Pay' });
  expect((await run.result()).data).toBe('Paid.');
  const inputs = (await kit.history(run)).events?.flatMap(({ activityTaskScheduledEventAttributes: task }) =>
    task?.activityType?.name === 'holdfast.callModel' ? [JSON.parse(String(task.input?.payloads?.[0]?.data))] : [],
  );
  expect(inputs?.map(({ model, purpose }) => [purpose.for, model])).toEqual([
    ['planner', 'large'],
    ['router', 'tiny'],
    ['synthesis', 'writer'],
  ]);
  const uses = (await factsOf(run, 'usage')).map((fact) => fact.for);
  expect(uses).toEqual(['planner', 'router', 'synthesis']);
  await kit.replay(run);
});

test('a purpose whose model fails ends the plan, and the main model repeats nothing', async () => {
  released.open();
  const refused = fault({ kind: 'status', status: 400, message: 'no' });
  kit.model.script(plans(step(1, 'Pay')), call('pay', { amount: 1 }), refused, text('Paid by main.'));
  const run = await kit.start(agent, { input: 'Pay' });
  expect((await run.result()).data).toBe('Paid by main.');
  expect(ran).toEqual(['pay 1']);
  const [fallback] = await factsOf(run, 'plan.fallback');
  expect(fallback).toMatchObject({ why: 'synthesis', problem: expect.stringContaining('no') });
  expect(kit.model.requests.at(-1)?.body.messages.at(-1)?.content).toContain('Step 1, done: Pay');
  await kit.replay(run);
});

test('a run goes on in a new history in the middle of its plan', async () => {
  kit.model.script(
    plans(step(1, 'Pay'), step(2, 'Pay')),
    call('pay', { amount: 1 }),
    call('pay', { amount: 2 }),
    text('Both.'),
  );
  const run = await kit.start(agent, { input: 'Pay' });
  await entered.opened;
  await run.continueAsNew();
  // It cannot go on elsewhere while the tool runs, and does at its next turn boundary.
  const looked = async () => (await kit.history(run)).events?.some((event) => event.timerFiredEventAttributes != null);
  await until(async () => (await looked()) === true, 'the look at the history');
  released.open();
  expect((await run.result()).data).toBe('Both.');
  expect(ran).toEqual(['pay 1', 'pay 2']);
  expect(await kit.histories(run)).toHaveLength(2);
  const ids = (await factsOf(run, 'tool.call')).map(({ toolUseId }) => toolUseId);
  expect(ids).toEqual(['t2.1', 't3.1']);
  await kit.replay(run);
});

test('a plan that waits for a person is carried to a new history', async () => {
  released.open();
  kit.model.script(plans(step(1, 'Pay')), call('pay', { amount: 1 }), text('Paid.'));
  const run = await kit.start(asked, { input: 'Pay' });
  await run.waiting({ atLeast: { approvals: 1 } });
  await move(kit, run, false);
  const {
    approvals: [ask],
  } = await run.waiting({ atLeast: { approvals: 1 } });
  await run.approve(ask, { by: 'ann' });
  expect((await run.result()).data).toBe('Paid.');
  expect(ran).toEqual(['pay 1']);
  await kit.replay(run);
});
