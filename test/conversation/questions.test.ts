import { agentService, defineAgent, defineTool } from 'holdfast';
import { type AgentTestEnvironment, call, calls, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import { factsOf } from '../facts';

const look = defineTool({ description: 'Look', inputSchema: z.object({}), effect: 'read', execute: () => 'seen' });
const asker = defineAgent({
  name: 'test.asker',
  tools: { look },
  loopTools: ['ask_question', 'converse'],
  questions: {
    ask_question: { expires: '30d' },
    ask_address: {
      description: 'Ask where to deliver',
      answer: z.object({ street: z.string(), floor: z.number().int() }),
    },
    ask_pin: { description: 'Ask for the PIN', expires: '3d', onExpire: 'fail' },
  },
});
const doer = defineAgent({
  name: 'test.doer',
  tools: { look },
  loopTools: ['task_completion'],
  outputSchema: z.object({ sum: z.number() }),
});
const boss = defineAgent({ name: 'test.boss', services: { asker: agentService(asker) } });
const talker = defineAgent({
  name: 'test.talker',
  mode: 'conversation',
  loopTools: ['ask_question', 'converse', 'task_completion'],
});

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [asker, doer, talker, boss] });
});
afterAll(() => kit.close());
afterEach(() => kit.model.reset());

const told = (messages = 1) => JSON.stringify(kit.model.requests.at(-1)?.body.messages.slice(-messages));
const ask = (question: string, more = {}) => call('ask_question', { question, ...more });

test('a question waits 20 days for its answer, while a tool beside it runs', async () => {
  kit.model.script(
    calls(['ask_question', { question: 'Which colour?', suggestions: ['red', 'blue'] }], ['look', {}]),
    text('Blue it is.'),
  );
  const run = await kit.start(asker, { input: 'go', owner: 'ann' });
  const {
    questions: [question],
  } = await run.waiting({ atLeast: { questions: 1 } });
  expect(question).toMatchObject({
    id: run.id,
    owner: 'ann',
    tool: 'ask_question',
    questionId: 't1.1',
    question: 'Which colour?',
    suggestions: ['red', 'blue'],
  });
  await kit.skip('20d');
  await expect(run.answer('t9.9', 'x')).rejects.toMatchObject({
    type: 'QuestionNotFound',
    data: { pending: ['t1.1'] },
  });
  await expect(run.answer(question, '')).rejects.toMatchObject({ type: 'InvalidReply' });
  expect(await run.answer(question, 'blue', { by: 'ann' })).toMatchObject({ action: 'answered', by: 'ann' });
  await expect(run.answer(question, 'red')).rejects.toMatchObject({ type: /QuestionClosed|RunEnded/ });
  expect((await run.result()).data).toBe('Blue it is.');
  expect(told(2)).toContain('blue');
  await kit.replay(run);
});

test('a typed answer is checked, by a schema of the agent or of the model', async () => {
  kit.model.script(
    call('ask_address', { question: 'Where to?' }),
    ask('How many?', { answer_schema: { type: 'integer', minimum: 1 } }),
    text('Sent.'),
  );
  const run = await kit.start(asker, { input: 'go' });
  const {
    questions: [where],
  } = await run.waiting({ atLeast: { questions: 1 } });
  expect(where.schema).toMatchObject({ type: 'object', required: ['street', 'floor'] });
  await expect(run.answer(where, { street: 'Elm' })).rejects.toMatchObject({
    type: 'InvalidReply',
    message: expect.stringContaining('floor'),
  });
  await run.answer(where, { street: 'Elm', floor: 3 });
  expect(told()).not.toContain('Sent');
  const {
    questions: [many],
  } = await run.waiting({ atLeast: { questions: 1 } });
  expect(many.questionId).toBe('t2.1');
  await expect(run.answer(many, 0)).rejects.toMatchObject({ type: 'InvalidReply' });
  await run.answer(many, '2');
  expect((await run.result()).data).toBe('Sent.');
  await kit.replay(run);
});

test('without an answer in time the model is told, and asks again', async () => {
  // The next question never expires: the skip may go on after the first one has.
  kit.model.script(ask('Well?'), call('converse', { message: 'Are you there?' }), text('Fine.'));
  const run = await kit.start(asker, { input: 'go' });
  const {
    questions: [well],
  } = await run.waiting({ atLeast: { questions: 1 } });
  await kit.skip('31d');
  const {
    questions: [again],
  } = await run.waiting({ atLeast: { questions: 1 } });
  expect(told()).toContain('No answer came in time.');
  await expect(run.answer(well, 'late')).rejects.toMatchObject({ type: 'QuestionExpired' });
  expect(again.questionId).toBe('t2.1');
  await run.answer(again, 'Now I am.');
  expect((await run.result()).data).toBe('Fine.');
  await kit.replay(run);
});

test('without an answer in time a run fails, if its agent says so', async () => {
  kit.model.script(call('ask_pin', { question: 'PIN?' }));
  const run = await kit.start(asker, { input: 'go' });
  await expect(run.result()).rejects.toMatchObject({ type: 'QuestionExpired' });
  await kit.replay(run);
});

test('a person need not answer; a steering message withdraws the question', async () => {
  kit.model.script(ask('Well?'), ask('And now?'), text('Right.'));
  const run = await kit.start(asker, { input: 'go' });
  await run.decline((await run.waiting({ atLeast: { questions: 1 } })).questions[0], { by: 'ann', reason: 'private' });
  const {
    questions: [again],
  } = await run.waiting({ atLeast: { questions: 1 } });
  expect(told()).toContain('does not want to answer: private');
  await run.steer('Do it without me', { when: 'now', by: 'ann' });
  expect((await run.result()).data).toBe('Right.');
  expect(told()).toContain('Do it without me');
  expect(JSON.stringify(kit.model.requests.at(-1)?.body.messages)).toContain('was withdrawn');
  expect(again.questionId).toBe('t2.1');
  await kit.replay(run);
});

test('an agent converses: a task waits for the reply, a conversation ends the exchange', async () => {
  kit.model.script(call('converse', { message: 'Tell me more.' }), text('Thanks.'));
  const run = await kit.start(asker, { input: 'go' });
  const {
    questions: [said],
  } = await run.waiting({ atLeast: { questions: 1 } });
  expect(said).toMatchObject({ tool: 'converse', question: 'Tell me more.' });
  await run.answer(said, 'More.');
  expect((await run.result()).data).toBe('Thanks.');

  kit.model.script(call('converse', { message: 'Hm?' }), call('task_completion', { result: 'All done' }));
  const chat = kit.conversation(talker, { id: 'talk-1' });
  const taken = await chat.send('Hi');
  expect(await chat.answerTo(taken)).toEqual({ exchange: 1, reason: 'conversing', data: 'Hm?' });
  expect(await chat.answerTo(await chat.send('Well'))).toEqual({ exchange: 2, reason: 'completed', data: 'All done' });
  kit.model.script(call('task_completion', { result: 'Plainly.' }));
  expect(await chat.answerTo(await chat.regenerate())).toMatchObject({ data: 'Plainly.' });
  expect(kit.model.requests.at(-1)?.body.messages.at(-1)).toEqual({ role: 'user', content: 'Well' });
  await chat.close();
  await chat.result();
  await kit.replay(chat);
});

test('a call completes a task: the model is told of a plain text, and of a result that does not fit', async () => {
  kit.model.script(
    text('I think 3.'),
    calls(['task_completion', { result: { sum: 'x' } }], ['look', {}]),
    calls(['task_completion', { result: { sum: 3 } }], ['look', {}], ['task_completion', { result: { sum: 4 } }]),
  );
  const run = await kit.start(doer, { input: '1+2' });
  expect((await run.result()).data).toEqual({ sum: 3 });
  const facts = (await factsOf(run)).map(({ type }) => type);
  expect(facts).toContain('tool.none');
  const messages = await run.transcript();
  expect(JSON.stringify(messages[2])).toContain('task_completion');
  await kit.replay(run);
});

test('the question of a child agent is listed, and answered, from the run above it', async () => {
  kit.model.script(call('asker', { input: 'go' }), ask('Well?'), text('Fine.'), text('All fine.'));
  const run = await kit.start(boss, { input: 'go' });
  const {
    questions: [question],
  } = await run.waiting({ atLeast: { questions: 1 } });
  expect(question).toMatchObject({ id: `${run.id}/t1.1`, agent: 'test.asker', question: 'Well?' });
  await run.answer(question, 'well');
  expect((await run.result()).data).toBe('All fine.');
});
