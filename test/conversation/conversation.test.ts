import { randomUUID } from 'node:crypto';
import { defineAgent, defineTool } from 'holdfast';
import type { ConversationHandle } from 'holdfast/client';
import { type AgentTestEnvironment, call, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import { QUERY } from '../../agent/protocol/queries';
import { factsOf } from '../facts';

const look = defineTool({ description: 'Look', inputSchema: z.object({}), effect: 'read', execute: () => 'seen' });
const chat = defineAgent({
  name: 'test.chat',
  mode: 'conversation',
  idle: '7d',
  instructions: 'Talk.',
  tools: { look },
});
const typed = defineAgent({
  name: 'test.typed',
  mode: 'conversation',
  outputSchema: z.object({ sum: z.number() }),
  limits: { maxToolInteractions: 2 },
});
const task = defineAgent({ name: 'test.task', tools: { look } });

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [chat, typed, task] });
});
afterAll(() => kit.close());
afterEach(() => kit.model.reset());

const sent = (nth = -1) => kit.model.requests.at(nth)?.body.messages;

async function say(run: ConversationHandle<unknown>, message: string): Promise<unknown> {
  return (await run.answerTo(await run.send(message))).data;
}

test('a conversation answers one message after the other, over days, and the model sees all of them', async () => {
  kit.model.script(text('Hello!'), call('look', {}), text('I see.'), text('Bye.'));
  const run = kit.conversation(chat, { id: `c-${randomUUID()}`, owner: 'ann' });
  const taken = await run.send('Hi', { id: 'm1' });
  expect(taken).toMatchObject({ exchange: 1, ahead: 0 });
  expect(await run.answerTo(taken)).toEqual({ exchange: 1, reason: 'completed', data: 'Hello!' });
  await kit.skip('3d');
  expect(await say(run, 'Look around')).toBe('I see.');
  expect(await say(run, 'Thanks')).toBe('Bye.');
  expect(sent()).toMatchObject([
    { role: 'system', content: 'Talk.' },
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Hello!' },
    { role: 'user', content: 'Look around' },
    { role: 'assistant', tool_calls: [{}] },
    { role: 'tool', content: 'seen' },
    { role: 'assistant', content: 'I see.' },
    { role: 'user', content: 'Thanks' },
  ]);
  await run.rename('About looking', { by: 'ann' });
  expect(await run.state()).toMatchObject({ mode: 'conversation', exchange: 3, idle: true, title: 'About looking' });
  expect(await run.close({ by: 'ann' })).toEqual({ ahead: 0 });
  expect(await run.result()).toMatchObject({ data: 'Bye.', exchanges: 3 });
  await expect(run.send('More')).rejects.toMatchObject({ type: 'RunEnded' });
  await kit.replay(run);
});

test('messages that arrive meanwhile wait in order, each for a separate exchange', async () => {
  kit.model.script(text('one'), text('two'), text('three'));
  const run = await kit.start(chat, { input: null });
  const taken = await Promise.all([run.send('1'), run.send('2'), run.send('3', { id: 'third' })]);
  expect(taken.map(({ exchange }) => exchange).sort()).toEqual([1, 2, 3]);
  expect(await run.send('3', { id: 'third' })).toEqual(taken[2]);
  const close = run.close();
  const answers = await Promise.all(taken.map((one) => run.answerTo(one)));
  expect(answers.map(({ data }) => data).sort()).toEqual(['one', 'three', 'two']);
  await close;
  expect((await run.result({ history: true })).messages).toHaveLength(6);
  await kit.replay(run);
});

test('a conversation without a message for a week ends by itself', async () => {
  kit.model.script(text('Hello!'));
  const run = await kit.start(chat, { input: null });
  await say(run, 'Hi');
  expect(await run.result()).toMatchObject({ data: 'Hello!', exchanges: 1 });
  const facts = await factsOf(run);
  expect(facts.map(({ type }) => type)).toEqual([
    'loop.start',
    'message.received',
    'exchange.start',
    'message',
    'loop.iteration',
    'usage',
    'message',
    'exchange.end',
    'conversation.closing',
    'loop.end',
  ]);
});

test("each answer is checked like a task's, with a separate quota; a failed one ends only its exchange", async () => {
  kit.model.script(text('no'), text('{"sum":3}'), text('no'), text('no'), text('no'), text('{"sum":4}'));
  const run = await kit.start(typed, { input: null });
  expect(await say(run, '1+2')).toEqual({ sum: 3 });
  await expect(say(run, '2+2')).rejects.toMatchObject({ type: 'ToolQuotaExhausted' });
  expect(await say(run, 'Once more')).toEqual({ sum: 4 });
  await run.close();
  expect(await run.result()).toMatchObject({ data: { sum: 4 }, exchanges: 3 });
  await kit.replay(run);
});

test('the input that starts a conversation is its first message', async () => {
  kit.model.script(text('Well.'));
  const run = await kit.start(chat, { input: { mail: 'x' } });
  expect(await run.answerTo({ exchange: 1 })).toMatchObject({ data: 'Well.' });
  expect(sent()?.[1]).toEqual({ role: 'user', content: '{"mail":"x"}' });
  await run.cancel();
  await expect(run.result()).rejects.toMatchObject({ type: 'Cancelled' });
});

test('the last answer is regenerated, and effects of tools stay', async () => {
  kit.model.script(call('look', {}), text('first'), text('second'));
  const run = await kit.start(chat, { input: null });
  await expect(run.regenerate()).rejects.toMatchObject({ type: 'NothingToRegenerate' });
  expect(await say(run, 'Look')).toBe('first');
  expect(await run.answerTo(await run.regenerate())).toMatchObject({ exchange: 2, data: 'second' });
  expect(JSON.stringify(sent())).not.toContain('first');
  expect((await run.transcript()).map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
  expect(await run.workflow.query(QUERY.transcript)).toMatchObject({ epoch: 1 });
  await run.close();
  await run.result();
  await kit.replay(run);
});

test('a message to a task joins the work in progress', async () => {
  kit.model.script(
    call('look', {}),
    async () => {
      await run.send('also check tax', { id: 'm3' });
      expect(run).not.toHaveProperty('interrupt');
      const unknown = kit.client.get<unknown, 'conversation'>(run.id);
      await expect(unknown.interrupt()).rejects.toMatchObject({ type: 'NotAConversation' });
      return text('done');
    },
    text('done, tax too'),
  );
  const run = await kit.start(task, { input: 'go' });
  expect((await run.result()).data).toBe('done, tax too');
  expect(sent()?.slice(-2)).toEqual([
    { role: 'assistant', content: 'done' },
    { role: 'user', content: 'also check tax' },
  ]);
  await kit.replay(run);
});
