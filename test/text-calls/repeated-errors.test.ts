import { defineAgent, defineTool } from 'holdfast';
import { type AgentTestEnvironment, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import { factsOf } from '../facts';

const look = defineTool({
  description: 'Look a word up',
  inputSchema: z.object({ word: z.string() }),
  effect: 'read',
  execute: ({ word }) => {
    if (word === 'nothing') throw new Error('no such word');
    return `about ${word}`;
  },
});
const reader = defineAgent({ name: 'errors.reader', toolCalls: 'text', tools: { look } });
const talker = defineAgent({ name: 'errors.talker', toolCalls: 'text', mode: 'conversation', tools: { look } });

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [reader, talker] });
});
afterAll(() => kit.close());
afterEach(() => kit.model.reset());

const BROKEN = text('<tool>?</tool>');
const looks = (word: string) =>
  text(`<tool>{"server_name": "local", "tool_name": "look", "arguments": {"word": "${word}"}}</tool>`);

test('five equal errors in a row end the run with a reason', async () => {
  kit.model.script(...Array.from({ length: 5 }, () => BROKEN));
  const run = await kit.start(reader, { input: 'go' });
  await expect(run.result()).rejects.toMatchObject({ type: 'ErrorRepeated', data: { type: 'ParseError', times: 5 } });
  expect((await factsOf(run)).filter(({ type }) => type === 'error.repeated')).toMatchObject([{ turn: 5, times: 5 }]);
  await kit.replay(run);
});

test('five equal errors of a tool end the run; four, another one and four do not', async () => {
  const fails = () => looks('nothing');
  const four = [fails(), fails(), fails(), fails()];
  kit.model.script(...four, looks('tea'), ...four, text('No.'));
  const patient = await kit.start(reader, { input: 'go' });
  expect((await patient.result()).data).toBe('No.');
  kit.model.script(...four, fails());
  const run = await kit.start(reader, { input: 'go' });
  await expect(run.result()).rejects.toMatchObject({
    type: 'ErrorRepeated',
    data: { type: 'ToolFailed', name: 'look', times: 5 },
  });
  await kit.replay(run);
});

test('in a conversation, equal errors end only their exchange', async () => {
  kit.model.script(...Array.from({ length: 5 }, () => BROKEN), BROKEN, text('Hot.'));
  const chat = kit.conversation(talker, { id: 'text-errors' });
  await expect(chat.ask('Hello')).rejects.toMatchObject({ type: 'ErrorRepeated' });
  expect(await chat.ask('tea')).toMatchObject({ type: 'answer', data: 'Hot.' });
  expect(JSON.stringify(kit.model.requests[5]?.body.messages)).not.toContain('was not run');
  await chat.close();
  await chat.result();
  await kit.replay(chat);
});
