import { defineAgent, defineTool } from 'holdfast';
import { type AgentTestEnvironment, call, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';

const pay = defineTool({
  description: 'Pays an amount',
  inputSchema: z.object({ amount: z.number() }),
  approval: 'always',
  execute: ({ amount }) => `paid ${amount}`,
});
const clerk = defineAgent({
  name: 'ask.clerk',
  mode: 'conversation',
  instructions: 'Pay what is asked for.',
  tools: { pay },
  loopTools: ['ask_question'],
});
const counter = defineAgent({
  name: 'ask.counter',
  mode: 'conversation',
  instructions: 'Count.',
  outputSchema: z.object({ n: z.number() }),
  limits: { maxOutputAttempts: 1 },
});

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [clerk, counter] });
});
afterAll(() => kit.close());

it('starts the conversation, and gives the answer as text and as data', async () => {
  kit.model.script(text('{"n": 3}'), text('{"n": 4}'));
  const chat = kit.client.conversation(counter, { id: 'count-1', owner: 'ann', taskQueue: kit.taskQueue });
  const first = await chat.ask('how many?', { by: 'ann' });
  expect(first).toEqual({ type: 'answer', exchange: 1, text: '{"n":3}', data: { n: 3 } });
  expect(await chat.ask('and now?')).toMatchObject({ exchange: 2, data: { n: 4 } });
  expect(await chat.state()).toMatchObject({ owner: 'ann', idle: true });
  kit.model.assertDone();
});

it('gives what a person has to decide or answer first, and then the answer', async () => {
  kit.model.script(
    call('pay', { amount: 90 }),
    call('ask_question', { question: 'Which account?' }),
    text('Paid from the second account.'),
  );
  const chat = kit.client.conversation(clerk, { id: 'pay-1', taskQueue: kit.taskQueue });
  const ask = chat.ask('pay 90');
  const turn = await ask;
  if (turn.type !== 'waiting') throw new Error(`Expected it to wait, got ${turn.type}`);
  const [approval] = turn.approvals;
  expect(turn).toMatchObject({ exchange: 1, approvals: [{ tool: 'pay', input: { amount: 90 } }], questions: [] });
  await chat.approve(approval as NonNullable<typeof approval>, { by: 'ann' });
  const next = await chat.outcome(await ask.sent);
  if (next.type !== 'waiting') throw new Error(`Expected it to wait, got ${next.type}`);
  expect(next.questions).toMatchObject([{ question: 'Which account?' }]);
  const [question] = next.questions;
  await chat.answer(question as NonNullable<typeof question>, 'the second');
  expect(await chat.outcome(turn)).toMatchObject({ type: 'answer', text: 'Paid from the second account.' });
});

it('shows the exchange while it goes on, and only this one', async () => {
  kit.model.script(text('one'), text('two'));
  const chat = kit.client.conversation(clerk, { id: 'watched-1', taskQueue: kit.taskQueue });
  await chat.ask('first');
  const types: string[] = [];
  const said: unknown[] = [];
  for await (const event of chat.ask('second').events) {
    types.push(event.type);
    if (event.type === 'message') said.push(event.message.parts);
  }
  expect(said).toEqual([[{ type: 'text', text: 'second' }], [{ type: 'text', text: 'two' }]]);
  expect(types.at(-1)).toBe('exchange.end');
});

it('says why there is no answer: a refusal, a failure, an interrupt, the signal of the caller', async () => {
  const chat = kit.client.conversation(counter, { id: 'odd-1', taskQueue: kit.taskQueue });
  kit.model.script(text('no number'));
  await expect(chat.ask('count')).rejects.toMatchObject({ type: 'OutputInvalid' });
  await expect(chat.ask('')).rejects.toMatchObject({ type: 'InvalidMessage' });

  const payments = kit.client.conversation(clerk, { id: 'odd-2', taskQueue: kit.taskQueue });
  kit.model.script(call('pay', { amount: 1 }));
  const turn = await payments.ask('pay 1');
  expect(turn.type).toBe('waiting');
  await payments.interrupt({ by: 'ann' });
  expect(await payments.outcome(turn)).toEqual({ type: 'interrupted', exchange: 1 });

  kit.model.script(call('pay', { amount: 2 }), text('done'));
  const again = await payments.ask('pay 2');
  if (again.type !== 'waiting') throw new Error(`Expected it to wait, got ${again.type}`);
  await expect(payments.answerTo(again, { signal: AbortSignal.timeout(50) })).rejects.toMatchObject({
    name: 'TimeoutError',
  });
  await expect(payments.waiting({ atLeast: 2, signal: AbortSignal.timeout(50) })).rejects.toMatchObject({
    name: 'TimeoutError',
  });
  await payments.close();
  await payments.deny(again.approvals[0] as NonNullable<(typeof again.approvals)[0]>, { by: 'ann' });
  await expect(payments.ask('more')).rejects.toMatchObject({ type: 'RunEnded' });
});
