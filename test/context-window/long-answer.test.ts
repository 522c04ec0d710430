import { defineAgent, defineTool } from 'holdfast';
import { type AgentTestEnvironment, createAgentTestEnvironment, fault, text } from 'holdfast/testing';
import { z } from 'zod';

/** Of these tokens 2,616 may be sent. */
const WINDOW = 4000;
/** The answer of a model that writes until its window is full. */
const rambling = `I begin. ${'word '.repeat(3300)}`;
const full = (prompt: number) => text(rambling, { finishReason: 'length', usage: { prompt, completion: 3300 } });

const outputSchema = z.object({ sum: z.number() });
const sum = defineAgent({ name: 'rambling.sum', outputSchema });
const guessed = defineAgent({ name: 'rambling.guessed', outputSchema });
const look = defineTool({
  description: 'Looks',
  effect: 'read',
  inputSchema: z.object({}),
  execute: () => 'Three.',
});
const talks = defineAgent({
  name: 'rambling.talks',
  toolCalls: 'text',
  tools: { look },
  loopTools: ['task_completion'],
});

let kit: AgentTestEnvironment;
let unknown: AgentTestEnvironment;
beforeAll(async () => {
  [kit, unknown] = await Promise.all([
    createAgentTestEnvironment({ agents: [sum, talks], contextWindow: WINDOW }),
    createAgentTestEnvironment({ agents: [guessed] }),
  ]);
});
afterAll(() => Promise.all([kit.close(), unknown.close()]));

const sentTo = ({ model }: AgentTestEnvironment, number: number) => model.requests[number - 1]?.body.messages ?? [];
const CUT = /^I begin\. word .*\n\[cut: the first \d+ of the \d+ characters of your answer are shown\]$/s;

it('the beginning of an answer that filled the window is sent back, and the model corrects it', async () => {
  kit.model.reset();
  kit.model.script(full(50), text('{"sum": 3}'));
  const run = await kit.start(sum, { input: 'one and two' });
  expect(await run.result()).toMatchObject({ data: { sum: 3 } });
  const [, answer, feedback] = sentTo(kit, 2);
  expect(answer).toMatchObject({ role: 'assistant', content: expect.stringMatching(CUT) });
  expect(feedback).toMatchObject({ role: 'user', content: expect.stringMatching(/is not JSON that fits/) });
  // People read the whole.
  expect(JSON.stringify(await run.transcript())).toContain(rambling);
  await kit.replay(run);
});

it('a model that calls tools in text goes on after such an answer, with its tools', async () => {
  kit.model.reset();
  kit.model.script(
    full(550),
    text('<tool>{"server_name": "local", "tool_name": "look", "arguments": {}}</tool>'),
    text('<tool>{"server_name": "local", "tool_name": "task_completion", "arguments": {"result": "three"}}</tool>'),
  );
  const run = await kit.start(talks, { input: 'How many?' });
  expect(await run.result()).toMatchObject({ data: 'three' });
  expect(sentTo(kit, 2)).toContainEqual({ role: 'assistant', content: expect.stringMatching(CUT) });
  expect((await run.state()).toolTypeCounts).toMatchObject({ look: 1 });
});

it('the same, if only the server knows the window', async () => {
  const refused = fault({
    kind: 'status',
    status: 400,
    code: 'context_length_exceeded',
    message: 'maximum context length is 4000 tokens. However, your messages resulted in 5400 tokens.',
  });
  unknown.model.script(full(50), refused, text('{"sum": 3}'));
  const run = await unknown.start(guessed, { input: 'one and two' });
  expect(await run.result()).toMatchObject({ data: { sum: 3 } });
  expect(sentTo(unknown, 2)).toContainEqual({ role: 'assistant', content: rambling });
  expect(sentTo(unknown, 3)).toContainEqual({ role: 'assistant', content: expect.stringMatching(CUT) });
});
