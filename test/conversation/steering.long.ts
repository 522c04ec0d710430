import { defineAgent, defineTool } from 'holdfast';
import { AgentClient, ConversationHandle, type RunHandle } from 'holdfast/client';
import { type AgentTestEnvironment, call, calls, createAgentTestEnvironment, fault, text } from 'holdfast/testing';
import { z } from 'zod';
import { factsOf } from '../facts';
import { newGate } from '../gate';

let enter: (() => void) | undefined;
const slow = defineTool({
  description: 'Takes long',
  inputSchema: z.object({}),
  execute: (_, { signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('aborted')));
      enter?.();
    }),
});
const pay = defineTool({ description: 'Pay', inputSchema: z.object({}), approval: 'always', execute: () => 'paid' });
const chat = defineAgent({
  name: 'test.chat',
  mode: 'conversation',
  tools: { slow, pay },
  loopTools: ['ask_question'],
});
const task = defineAgent({ name: 'test.task', tools: { slow } });

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [chat, task], server: 'dev' });
});
afterAll(() => kit.close());
afterEach(() => kit.model.reset());

const sent = () => kit.model.requests.at(-1)?.body.messages ?? [];

let listening = (): void => undefined;

/** A model that sends some text as soon as {@link untilText} listens, and then nothing. */
function hanging() {
  const { open, opened } = newGate();
  listening = open;
  return async () => {
    await opened;
    return fault({ kind: 'stall', after: 13 }, { text: 'I am going to do' });
  };
}

async function untilText(run: RunHandle<unknown>): Promise<void> {
  for await (const { type } of run.events()) {
    listening();
    if (type === 'stream.text') return;
  }
}

async function factTypes(run: RunHandle<unknown>): Promise<string[]> {
  return (await factsOf(run)).map(({ type }) => type);
}

async function begin(
  message: string,
): Promise<{ run: ConversationHandle<string>; taken: { exchange: number; after: number } }> {
  const run = await kit.start(chat, { input: null });
  return { run, taken: await run.send(message) };
}

test.each(['conversation', 'task'])(
  'a message that steers now aborts the model call of a %s, and the next call reads it',
  async (mode) => {
    kit.model.script(hanging(), text('Right away.'));
    const run = mode === 'task' ? await kit.start(task, { input: 'Long' }) : (await begin('Long')).run;
    await untilText(run);
    const aborted = kit.model.requests.at(-1)?.socketClosed;
    const steered = await run.steer('Shorter!', { when: 'now', by: 'ann' });
    await aborted;
    if (run instanceof ConversationHandle) {
      expect(await run.answerTo(steered)).toMatchObject({ exchange: 1, data: 'Right away.' });
      await run.close();
    }
    expect((await run.result()).data).toBe('Right away.');
    expect(sent().slice(-2)).toEqual([
      { role: 'assistant', content: 'I am going to' },
      { role: 'user', content: 'Shorter!' },
    ]);
    expect((await run.transcript()).filter(({ partial }) => partial)).toHaveLength(1);
    expect(await factTypes(run)).toContain('text.withdrawn');
    await kit.replay(run);
  },
);

test('an interrupt stops the exchange and keeps the conversation', async () => {
  kit.model.script(hanging(), text('What else?'));
  const { run, taken } = await begin('Long');
  await untilText(run);
  const aborted = kit.model.requests.at(-1)?.socketClosed;
  expect(await run.interrupt({ by: 'ann' })).toEqual({ exchange: 1 });
  await aborted;
  expect(await run.answerTo(taken)).toEqual({ exchange: 1, reason: 'interrupted' });
  await expect(run.interrupt()).rejects.toMatchObject({ type: 'NothingToInterrupt' });
  expect((await run.answerTo(await run.send('Go on'))).data).toBe('What else?');
  await run.close();
  await run.result();
  await kit.replay(run);
});

test('an interrupt cancels tools by their effect and withdraws what waits for people', async () => {
  kit.model.script(calls(['slow', {}], ['pay', {}], ['ask_question', { question: 'Well?' }]), text('Stopped.'));
  const entered = new Promise<void>((resolve) => {
    enter = resolve;
  });
  const { run, taken } = await begin('Do it all');
  await entered;
  const {
    approvals: [approval],
  } = await run.waiting({ atLeast: { approvals: 1 } });
  const {
    questions: [question],
  } = await run.waiting({ atLeast: { questions: 1 } });
  await run.interrupt({ by: 'ann' });
  expect((await run.answerTo(taken)).reason).toBe('interrupted');
  await expect(run.approve(approval, { by: 'ann' })).rejects.toMatchObject({ type: 'ApprovalNotFound' });
  await expect(run.answer(question, 'x')).rejects.toMatchObject({
    type: 'QuestionClosed',
    data: { action: 'withdrawn' },
  });
  expect((await run.answerTo(await run.send('And?'))).data).toBe('Stopped.');
  const results = sent()
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => String(content));
  expect(results).toHaveLength(3);
  expect(results.join('\n')).toMatch(/unknown whether `slow` took effect/);
  expect(results.join('\n')).toMatch(/`pay` was cancelled before it ran/);
  expect(results.join('\n')).toMatch(/The question was withdrawn/);
  await run.close();
  await run.result();
  await kit.replay(run);
});

test('a message that is queued meanwhile is answered after the interrupt', async () => {
  kit.model.script(hanging(), text('Second.'));
  const { run, taken } = await begin('Long');
  await untilText(run);
  const next = await run.send('Next');
  expect(next).toMatchObject({ exchange: 2, ahead: 1 });
  await run.interrupt();
  expect((await run.answerTo(taken)).reason).toBe('interrupted');
  expect((await run.answerTo(next)).data).toBe('Second.');
  await run.cancel();
  await expect(run.result()).rejects.toMatchObject({ type: 'Cancelled' });
});

test('a cancel ends the exchange in progress in order', async () => {
  kit.model.script(hanging());
  const { run } = await begin('Long');
  await untilText(run);
  const aborted = kit.model.requests.at(-1)?.socketClosed;
  await run.cancel();
  await aborted;
  await expect(run.result()).rejects.toMatchObject({ type: 'Cancelled' });
  const types = await factTypes(run);
  expect(types.slice(-2)).toEqual(['exchange.end', 'loop.end']);
  await kit.replay(run);
});

test('a plain Temporal client sends and answers by signals; a wrong one is counted', async () => {
  kit.model.script(call('ask_question', { question: 'Well?' }), text('Good.'));
  const run = await kit.start(chat, { input: null });
  const { workflow } = run;
  await workflow.signal('send', { text: 'Hi', id: 'm1' });
  await workflow.signal('send', { text: 'Hi', id: 'm1' });
  await run.waiting({ atLeast: { questions: 1 } });
  await workflow.signal('answer', { questionId: 't7.1', answer: 'x' });
  await workflow.signal('send', 'no object');
  await workflow.signal('answer', { questionId: 't1.1', answer: 'fine' });
  expect((await run.answerTo({ exchange: 1 })).data).toBe('Good.');
  await workflow.signal('close');
  await run.result();
  expect(await run.state()).toMatchObject({ exchange: 1, ignored: { QuestionNotFound: 1, InvalidMessage: 1 } });
  await kit.replay(run);
});

test('a burst of large messages is taken completely', async () => {
  const count = 34;
  kit.model.script(...Array.from({ length: count }, () => text('ok')));
  const run = await kit.start(chat, { input: null });
  const large = 'x y '.repeat(32_000);
  const taken = await Promise.all(Array.from({ length: count }, (_, i) => run.send(`${i} ${large}`)));
  expect(new Set(taken.map(({ exchange }) => exchange)).size).toBe(count);
  await run.close();
  expect(await run.result()).toMatchObject({ exchanges: count });
  await expect(run.send(`${large}${large}`)).rejects.toMatchObject({ type: 'RunEnded' });
});

test('a message starts the conversation if there is none, and reaches it if there is one', async () => {
  kit.model.script(text('one'), text('two'));
  const id = `chat-${Date.now()}`;
  await kit.stopWorker();
  const impatient = new AgentClient(kit.temporal.client, { taskQueue: kit.taskQueue, workerTimeout: 500 });
  const unheard = impatient.conversation(chat, { id }).send('Hi', { id: 'm1' });
  await expect(unheard).rejects.toMatchObject({ type: 'NoWorker' });
  await kit.startWorker();
  const run = kit.conversation(chat, { id, owner: 'ann' });
  const [taken, again] = await Promise.all([
    run.send('Hi', { id: 'm1' }),
    kit.conversation(chat, { id, owner: 'ann' }).send('Hi', { id: 'm1' }),
  ]);
  expect(again).toEqual(taken);
  expect((await run.answerTo(taken)).data).toBe('one');
  expect((await run.answerTo(await kit.conversation(chat, { id }).send('And?'))).data).toBe('two');
  await run.close();
  await run.result();
  expect(await run.transcript()).toHaveLength(4);
  await expect(kit.conversation(chat, { id }).send('Still there?')).rejects.toMatchObject({ type: 'RunEnded' });
  await expect(kit.conversation(chat, { id: 'holdfast.x' }).send('x')).rejects.toMatchObject({ type: 'IdInUse' });
});
