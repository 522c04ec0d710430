import { defineAgent, defineTool } from 'holdfast';
import type { ConversationHandle, RunHandle } from 'holdfast/client';
import { type AgentTestEnvironment, call, createAgentTestEnvironment, fault, text } from 'holdfast/testing';
import { z } from 'zod';
import { factsOf } from '../facts';
import { newGate } from '../gate';
import { plans, step } from './planner';

const ran: string[] = [];
let entered = newGate();
let released = newGate();
const pay = defineTool({
  description: 'Pays a bill',
  inputSchema: z.object({ amount: z.number() }),
  execute: ({ amount }) => {
    ran.push(`pay ${amount}`);
    return `paid ${amount}`;
  },
});
const slow = defineTool({
  description: 'Takes long',
  inputSchema: z.object({}),
  effect: 'read',
  execute: (_, { signal }) =>
    new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('aborted')));
      released.opened.then(() => resolve('waited'));
      entered.open();
    }),
});
const tools = { pay, slow };
const approved = defineAgent({
  name: 'test.approved',
  tools,
  strategy: { type: 'plan', approval: { deciders: ['ann'], expires: '2d' } },
});
const chat = defineAgent({ name: 'test.chat', mode: 'conversation', tools, strategy: 'plan' });

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [approved, chat] });
});
afterAll(() => kit.close());
beforeEach(() => {
  entered = newGate();
  released = newGate();
});
afterEach(() => {
  ran.length = 0;
  try {
    kit.model.assertDone();
  } finally {
    kit.model.reset();
  }
});

type Script = Parameters<AgentTestEnvironment['model']['script']>;
const bodies = () => kit.model.requests.map(({ body }) => body);
const planTypes = async (run: RunHandle<unknown> | ConversationHandle<unknown>) =>
  (await factsOf(run)).flatMap((fact) => (fact.type.startsWith('plan.') ? [fact] : []));

async function askedAbout(...script: Script) {
  kit.model.script(...script);
  const run = await kit.start(approved, { input: 'Pay' });
  const {
    approvals: [ask],
  } = await run.waiting({ atLeast: { approvals: 1 } });
  if (ask === undefined) throw new Error('no approval was asked for');
  return { run, ask };
}

test('a plan waits for a person, and runs as it was when it is approved', async () => {
  const { run, ask } = await askedAbout(plans(step(1, 'Pay the bill')), call('pay', { amount: 1 }), text('Paid.'));
  expect(ask).toMatchObject({
    toolUseId: 't1.1',
    tool: 'follow_plan',
    input: { steps: [{ step_number: 1, description: 'Pay the bill', depends_on: [], critical: true }] },
    deciders: ['ann'],
  });
  await expect(run.approve(ask, { by: 'bob' })).rejects.toMatchObject({ type: 'NotADecider' });
  expect(ran).toEqual([]);
  await run.approve(ask, { by: 'ann' });
  expect((await run.result()).data).toBe('Paid.');
  expect(ran).toEqual(['pay 1']);
  // No model is offered the call that shows the plan.
  expect(bodies()[1]?.tools?.map((tool) => tool.function.name)).toEqual(['pay', 'slow']);
  expect(JSON.stringify(bodies()[0]?.messages)).not.toContain('follow_plan');
  await kit.replay(run);
});

test('a person may edit a plan: the edited steps run', async () => {
  const { run, ask } = await askedAbout(
    plans(step(1, 'Pay 1'), step(2, 'Pay 2')),
    call('pay', { amount: 3 }),
    text('Paid 3.'),
  );
  const cyclic = { steps: [step(1, 'a', { depends_on: [2] }), step(2, 'b')] };
  await expect(run.edit(ask, { by: 'ann', input: cyclic })).rejects.toThrow('wait for each other');
  await expect(run.edit(ask, { by: 'ann', input: { steps: [] } })).rejects.toThrow();
  await run.edit(ask, { by: 'ann', input: { steps: [step(1, 'Pay only 3')] } });
  expect((await run.result()).data).toBe('Paid 3.');
  expect(ran).toEqual(['pay 3']);
  expect(bodies()[1]?.messages.at(-1)?.content).toContain('Pay only 3');
  expect((await planTypes(run)).map(({ type }) => type)).toEqual([
    ...['plan.made', 'plan.decided', 'plan.step', 'plan.step', 'plan.done'],
  ]);
  await kit.replay(run);
});

test('nothing runs of a plan that a person denies, and the model says so with the reason', async () => {
  const { run, ask } = await askedAbout(plans(step(1, 'Pay')), text('I did not pay.'));
  await run.deny(ask, { by: 'ann', reason: 'too expensive' });
  expect((await run.result()).data).toBe('I did not pay.');
  expect(ran).toEqual([]);
  expect(JSON.stringify(bodies()[1]?.messages)).toContain('too expensive');
  expect(bodies()[1]?.tools).toBeUndefined();
  expect(await planTypes(run)).toMatchObject([
    { type: 'plan.made' },
    { type: 'plan.decided', approved: false },
    { type: 'plan.done' },
  ]);
  await kit.replay(run);
});

test('a plan without a decision in time does not run', async () => {
  const { run } = await askedAbout(plans(step(1, 'Pay')), text('There was no decision.'));
  await kit.skip('3d');
  expect((await run.result()).data).toBe('There was no decision.');
  expect(ran).toEqual([]);
  await kit.replay(run);
});

test('an unreadable plan waits for no decision, and the single loop goes on', async () => {
  kit.model.script(text('no plan'), text('An answer.'));
  const run = await kit.start(approved, { input: 'Pay' });
  expect((await run.result()).data).toBe('An answer.');
  expect(bodies()[1]?.tools?.map((tool) => tool.function.name)).toEqual(['pay', 'slow']);
});

test('the single loop cannot call the tool that shows a plan', async () => {
  kit.model.script(text('no plan'), call('follow_plan', { steps: [] }), text('An answer.'));
  const run = await kit.start(approved, { input: 'Pay' });
  expect((await run.result()).data).toBe('An answer.');
  expect(JSON.stringify(bodies()[2]?.messages)).toContain('no tool named `follow_plan`');
});

/** A conversation whose plan has paid and is in its second step. */
async function midway(...rest: Script) {
  kit.model.script(
    plans(step(1, 'Pay'), step(2, 'Wait'), step(3, 'Pay')),
    call('pay', { amount: 1 }),
    call('slow'),
    ...rest,
  );
  const run = await kit.start(chat, { input: null });
  const taken = await run.send('Pay two bills');
  await entered.opened;
  return { run, taken };
}

async function closed(run: ConversationHandle<unknown>): Promise<void> {
  await run.close();
  await run.result();
  await kit.replay(run);
}

test('a steering message ends the plan at its next step, and the single loop reads it', async () => {
  const { run, taken } = await midway(text('I stopped.'));
  await run.steer('Stop paying');
  released.open();
  expect((await run.answerTo(taken)).data).toBe('I stopped.');
  expect(ran).toEqual(['pay 1']);
  const last = bodies()[3]?.messages ?? [];
  expect(last.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'tool', 'user', 'user']);
  expect(last.at(-2)?.content).toContain('Step 1, done: Pay');
  expect(last.at(-1)?.content).toBe('Stop paying');
  await closed(run);
});

test('an interrupt ends the exchange with its plan, and the next message gets a new one', async () => {
  const { run, taken } = await midway(plans(step(1, 'Pay')), call('pay', { amount: 9 }), text('Paid 9.'));
  await run.interrupt({ by: 'ann' });
  expect((await run.answerTo(taken)).reason).toBe('interrupted');
  const next = await run.send('Pay 9');
  expect((await run.answerTo(next)).data).toBe('Paid 9.');
  expect(ran).toEqual(['pay 1', 'pay 9']);
  await closed(run);
});

test('an interrupt in the call of a planner ends the exchange', async () => {
  kit.model.script(fault({ kind: 'stall', after: 5 }, { text: '{"needs_tools": true' }));
  const run = await kit.start(chat, { input: null });
  const taken = await run.send('Pay');
  await kit.model.request(1);
  await run.interrupt();
  expect((await run.answerTo(taken)).reason).toBe('interrupted');
  await closed(run);
});

test('a message that steers while the planner is asked is part of the new plan', async () => {
  kit.model.script(
    fault({ kind: 'stall', after: 5 }, { text: '{"needs_tools": true' }),
    plans(step(1, 'Pay')),
    call('pay', { amount: 4 }),
    text('Paid 4.'),
  );
  const run = await kit.start(chat, { input: null });
  const taken = await run.send('Pay');
  await kit.model.request(1);
  await run.steer('Pay 4', { when: 'now' });
  expect((await run.answerTo(taken)).data).toBe('Paid 4.');
  expect(JSON.stringify(bodies()[1]?.messages)).toContain('Pay 4');
  await closed(run);
});

test('an interrupted synthesis keeps the text that people have read', async () => {
  kit.model.script(
    plans(step(1, 'Pay')),
    call('pay', { amount: 1 }),
    fault({ kind: 'stall', after: 8 }, { text: 'I paid 1, and more' }),
  );
  const run = await kit.start(chat, { input: null });
  const taken = await run.send('Pay');
  for await (const { type } of run.events()) if (type === 'stream.text') break;
  await run.interrupt();
  expect((await run.answerTo(taken)).reason).toBe('interrupted');
  const facts = [];
  await run.close();
  await run.result();
  for (const fact of await factsOf(run)) if (fact.type === 'message' && fact.message.partial) facts.push(fact);
  expect(facts).toMatchObject([{ message: { parts: [{ type: 'text', text: 'I paid 1' }] } }]);
  await kit.replay(run);
});

test('a cancel ends a run in the middle of its plan', async () => {
  const { run } = await midway();
  await run.cancel();
  await expect(run.result()).rejects.toMatchObject({ type: 'Cancelled' });
  expect(ran).toEqual(['pay 1']);
  await kit.replay(run);
});
