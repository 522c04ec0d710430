import { defineAgent, defineTool } from 'holdfast';
import { type AgentTestEnvironment, createAgentTestEnvironment, fault, type ModelReply, text } from 'holdfast/testing';
import { z } from 'zod';
import type { JsonObject } from '../../agent/values/json';
import { factsOf } from '../facts';

const looked: string[] = [];
const look = defineTool({
  description: 'Look a word up',
  inputSchema: z.object({ word: z.string(), times: z.number().optional() }),
  effect: 'read',
  execute: ({ word }) => {
    looked.push(word);
    if (word === 'nothing') throw new Error('no such word');
    return `about ${word}`;
  },
});
const reader = defineAgent({ name: 'text.reader', toolCalls: 'text', tools: { look }, instructions: 'You read.' });
const doer = defineAgent({
  name: 'text.doer',
  toolCalls: 'text',
  tools: { look },
  loopTools: ['ask_question', 'task_completion'],
  outputSchema: z.object({ sum: z.number() }),
});
const typed = defineAgent({
  name: 'text.typed',
  toolCalls: 'text',
  tools: { look },
  outputSchema: z.object({ sum: z.number() }),
});
const talker = defineAgent({
  name: 'text.talker',
  toolCalls: 'text',
  mode: 'conversation',
  tools: { look },
  loopTools: ['converse', 'ask_question'],
});

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [reader, doer, typed, talker], contextWindow: 8000 });
});
afterAll(() => kit.close());
beforeEach(() => {
  looked.length = 0;
});
afterEach(() => kit.model.reset());

const call = (tool: string, args: JsonObject = {}, server = 'local') =>
  `<tool>${JSON.stringify({ server_name: server, tool_name: tool, arguments: args })}</tool>`;
const says = (answer: string, more: Partial<ModelReply> = {}) => text(answer, more);
/** What a request said after the system prompt. */
const told = (number: number) =>
  kit.model.requests[number - 1]?.body.messages
    .filter(({ role }) => role !== 'system')
    .map(({ role, content }) => [role, content]);
const transcriptText = async (run: { transcript(): Promise<readonly unknown[]> }) =>
  JSON.stringify(await run.transcript());

test('a run calls tools in its text, and its history replays', async () => {
  kit.model.script(
    says(`<thinking>Tea?</thinking>I look.\n${call('look', { word: 'tea', times: '2' })}`),
    says('Tea is hot.'),
  );
  const run = await kit.start(reader, { input: 'What is tea?' });
  expect((await run.result()).data).toBe('Tea is hot.');
  expect(looked).toEqual(['tea']);
  const [first] = kit.model.requests;
  expect(first?.body).not.toHaveProperty('tools');
  expect(first?.body).not.toHaveProperty('tool_choice');
  expect(first?.body.messages[0]?.content).toMatch(/^You read\.\n\n# Your tools\n/);
  expect(told(2)).toEqual([
    ['user', 'What is tea?'],
    ['assistant', `I look.\n${call('look', { word: 'tea', times: 2 })}`],
    ['user', 'Result of the tool `look` (server `local`):\nabout tea'],
  ]);
  const facts = await factsOf(run);
  const answer = facts.find((fact) => fact.type === 'message' && fact.message.role === 'assistant');
  expect(answer).toMatchObject({
    index: 1,
    message: { parts: [{ type: 'reasoning' }, { type: 'text' }, { type: 'tool_use' }] },
  });
  expect(facts.filter(({ type }) => type === 'thinking')).toMatchObject([{ turn: 1, index: 1, part: 0 }]);
  await kit.replay(run);
});

test('the last answer keeps its thinking as well, and it is not sent back', async () => {
  kit.model.script(says('<thinking>Easy.</thinking>Tea is hot.'), says('<think>Bye?</think>Bye.'));
  const talk = kit.conversation(talker, { id: 'text-thoughts' });
  expect(await talk.ask('What is tea?')).toMatchObject({ data: 'Tea is hot.' });
  expect(await talk.ask('Thanks')).toMatchObject({ data: 'Bye.' });
  expect(told(2)).toEqual([
    ['user', 'What is tea?'],
    ['assistant', 'Tea is hot.'],
    ['user', 'Thanks'],
  ]);
  await talk.close();
  await talk.result();
  const facts = await factsOf(talk);
  expect(facts.filter(({ type }) => type === 'thinking')).toMatchObject([
    { turn: 1, index: 1, part: 0 },
    { turn: 2, index: 3, part: 0 },
  ]);
  const [, answer] = await talk.transcript();
  expect(answer?.parts).toEqual([
    { type: 'reasoning', text: 'Easy.' },
    { type: 'text', text: 'Tea is hot.' },
  ]);
  await kit.replay(talk);
});

test('of two calls in one answer only the first runs; the request ends there, and its usage is an estimate', async () => {
  const two = `${call('look', { word: 'tea' })}\n${call('look', { word: 'rum' })}${' and so on'.repeat(50)}`;
  kit.model.script(says(two, { chunkDelay: 5 }), says('Hot.'));
  const run = await kit.start(reader, { input: 'go' });
  await run.result();
  expect(looked).toEqual(['tea']);
  const usage = (await factsOf(run)).filter(({ type }) => type === 'usage');
  expect(usage).toMatchObject([{ usage: { estimated: true } }, { usage: { completion: expect.any(Number) } }]);
  expect(usage[1]).not.toHaveProperty('usage.estimated');
  await kit.replay(run);
});

test('the window is measured with what is really sent', async () => {
  kit.model.script(says('Hi.'), says('Hi.'));
  const run = await kit.start(reader, { input: 'go' });
  await run.result();
  const [system] = kit.model.requests[0]?.body.messages ?? [];
  const budget = (await factsOf(run)).find(({ type }) => type === 'budget.context');
  const { tools, system: prompt } = budget as { tools: number; system: number } & typeof budget;
  // The kit counts a quarter of the characters.
  const factor = String(system?.content).length / 4 / (tools + prompt);
  expect(factor).toBeGreaterThan(0.5);
  expect(factor).toBeLessThan(2);
});

test('an agent with task_completion is reminded in the next call only', async () => {
  kit.model.script(
    says('I have an idea.'),
    says(call('look', { word: 'tea' })),
    says(call('task_completion', { result: { sum: 3 } })),
  );
  const run = await kit.start(doer, { input: 'go' });
  expect((await run.result()).data).toEqual({ sum: 3 });
  expect(told(2)?.at(-1)).toEqual(['user', expect.stringMatching(/^You called no tool\..*task_completion/s)]);
  expect(JSON.stringify(told(3))).not.toContain('You called no tool');
  expect(told(3)?.slice(0, 2)).toEqual([
    ['user', 'go'],
    ['assistant', `I have an idea.\n\n${call('look', { word: 'tea' })}`],
  ]);
  expect(await transcriptText(run)).not.toContain('You called no tool');
  const none = (await factsOf(run)).filter(({ type }) => type === 'tool.none');
  expect(none).toMatchObject([{ turn: 1 }]);
  expect(none[0]).not.toHaveProperty('error');
  await kit.replay(run);
});

test('a broken call stays in the transcript; how to repair it is said in the next call only', async () => {
  kit.model.script(
    says('<tool>look up tea</tool>'),
    says('<tool>{"tool_name": "look", "arguments": {"word": "tea"}}</tool>'),
    says(call('lok', { word: 'tea' })),
    says('I give up.'),
  );
  const run = await kit.start(reader, { input: 'go' });
  expect((await run.result()).data).toBe('I give up.');
  expect(told(2)?.slice(1)).toEqual([
    ['assistant', '<tool>look up tea</tool>'],
    ['user', expect.stringContaining('It is not valid JSON: look up tea')],
  ]);
  expect(told(3)?.at(-1)).toEqual(['user', expect.stringContaining('`server_name` is one of: local.')]);
  expect(JSON.stringify(told(4))).not.toContain('was not run');
  expect(told(4)?.at(-1)).toEqual(['user', expect.stringContaining('Similar tools: look')]);
  expect(await transcriptText(run)).not.toContain('Your call was not run');
  const facts = await factsOf(run);
  expect(facts.filter(({ type }) => type === 'tool.none')).toMatchObject([
    { error: { type: 'ParseError' } },
    { error: { type: 'MissingFieldError' } },
  ]);
  expect(facts.filter(({ type }) => type === 'tool.error')).toMatchObject([
    { name: 'lok', error: { type: 'ToolNotFound' } },
  ]);
  await kit.replay(run);
});

test('the reminder of a call that failed is in its repetition, too', async () => {
  kit.model.script(
    says('Hm.'),
    fault({ kind: 'status', status: 503 }),
    says(call('task_completion', { result: { sum: 1 } })),
  );
  const run = await kit.start(doer, { input: 'go' });
  await run.result();
  expect(told(3)).toEqual(told(2));
  expect(told(3)?.at(-1)?.[1]).toContain('You called no tool');
});

test('loop tools: an empty one is an error that the loop survives, a question waits, the result ends the run', async () => {
  kit.model.script(
    says(call('task_completion', { result: {} })),
    says(call('ask_question', { question: ' ' })),
    says(call('ask_question', { question: 'How many?' })),
    says(call('task_completion', { result: { sum: 4 } })),
  );
  const run = await kit.start(doer, { input: 'go' });
  const { questions } = await run.waiting({ atLeast: { questions: 1 } });
  expect(questions).toMatchObject([{ question: 'How many?', questionId: 't3.1' }]);
  await run.answer('t3.1', '4');
  expect((await run.result()).data).toEqual({ sum: 4 });
  expect(told(2)?.at(-1)?.[1]).toMatch(/^Error of the tool `task_completion`/);
  expect(told(3)?.at(-1)?.[1]).toMatch(/^Error of the tool `ask_question`/);
  expect(told(4)?.at(-1)?.[1]).toBe('Result of the tool `ask_question` (server `local`):\n4');
  await kit.replay(run);
});

test('a conversation: converse ends the exchange, a broken call is repaired within it', async () => {
  kit.model.script(
    says(call('converse', { message: 'Which word?' })),
    says('<tool>?</tool>'),
    says(call('look', { word: 'tea' })),
    says('Hot.'),
  );
  const chat = kit.conversation(talker, { id: 'text-chat' });
  expect(await chat.ask('Hello')).toMatchObject({ type: 'answer', data: 'Which word?' });
  expect(await chat.ask('tea')).toMatchObject({ type: 'answer', data: 'Hot.' });
  await chat.close();
  await chat.result();
  const ends = (await factsOf(chat)).filter(({ type }) => type === 'exchange.end');
  expect(ends).toMatchObject([{ reason: 'conversing' }, { reason: 'completed' }]);
  await kit.replay(chat);
});

test('structured output is described in text, and asked for again where it does not fit', async () => {
  kit.model.script(says(call('look', { word: 'tea' })), says('{"sum": "x"}'), says('{"sum": 2}'));
  const run = await kit.start(typed, { input: 'go' });
  expect((await run.result()).data).toEqual({ sum: 2 });
  const [first] = kit.model.requests;
  expect(first?.body).not.toHaveProperty('response_format');
  expect(String(first?.body.messages[0]?.content)).toContain('JSON Schema');
});

test('after the quota the model is asked to conclude, without a reminder', async () => {
  const short = [says('Hm.'), says('Hm.')];
  kit.model.script(...short.concat(Array.from({ length: 23 }, () => says('Well.'))), says('{"sum": 9}'));
  const run = await kit.start(doer, { input: 'go' });
  expect((await run.result()).data).toEqual({ sum: 9 });
  expect(told(26)?.at(-1)?.[1]).toContain('You have reached the limit');
  expect(JSON.stringify(told(26))).not.toContain('You called no tool');
});
