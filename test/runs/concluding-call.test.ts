import { type AgentDefinition, defineAgent, defineTool } from 'holdfast';
import {
  type AgentTestEnvironment,
  call,
  calls,
  createAgentTestEnvironment,
  type ModelReply,
  text,
} from 'holdfast/testing';
import { z } from 'zod';

const look = defineTool({
  description: 'Look a word up',
  inputSchema: z.object({ word: z.string() }),
  effect: 'read',
  execute: ({ word }) => `about ${word}`,
});
const agent = (name: string, more: Partial<AgentDefinition> = {}) =>
  defineAgent({
    name,
    tools: { look },
    loopTools: ['task_completion'],
    limits: { maxToolInteractions: 1 },
    ...more,
  } as AgentDefinition);
const sum = z.object({ sum: z.number() });
const native = agent('end.native');
const small = agent('end.small', { modelClass: 'small' });
const inText = agent('end.text', { toolCalls: 'text' });
const smallInText = agent('end.both', { toolCalls: 'text', modelClass: 'small' });
const typed = agent('end.typed', { outputSchema: sum });
const plain = agent('end.plain', { loopTools: [] });

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [native, small, inText, smallInText, typed, plain] });
});
afterAll(() => kit.close());
afterEach(() => kit.model.reset());

const written = (tool: string, args: object): string =>
  `<tool>${JSON.stringify({ server_name: 'local', tool_name: tool, arguments: args })}</tool>`;

async function endOf(one: typeof native, ...replies: ModelReply[]) {
  kit.model.script(...replies);
  const run = await kit.start(one, { input: 'go' });
  const ended = await run.result().then(
    ({ data }) => data,
    ({ type }: { type: string }) => type,
  );
  await kit.replay(run);
  return { ended, transcript: await run.transcript() };
}

test.each([
  ['a native call', native],
  ['a native call of a small model, which was offered none', small],
])('a model that concludes by %s of task_completion has concluded', async (_, one) => {
  const { ended, transcript } = await endOf(
    one,
    call('look', { word: 'tea' }),
    call('task_completion', { result: 'Tea is hot.' }),
  );
  expect(ended).toBe('Tea is hot.');
  expect(transcript.at(-1)?.parts).toEqual([{ type: 'text', text: 'Tea is hot.' }]);
});

test.each([
  ['', inText],
  [' of a small model, which was told of none', smallInText],
])('the same by a call in the text%s', async (_, one) => {
  const { ended } = await endOf(
    one,
    text(written('look', { word: 'tea' })),
    text(`<thinking>I have to end.</thinking>Here it is.\n${written('task_completion', { result: 'Tea is hot.' })}`),
  );
  expect(ended).toBe('Tea is hot.');
});

test('the result is checked like a text, and other calls beside it do not run', async () => {
  const looked = call('look', { word: 'tea' });
  const fits = calls(['look', { word: 'ice' }], ['task_completion', { result: { sum: 4 } }]);
  expect((await endOf(typed, looked, fits)).ended).toEqual({ sum: 4 });
  kit.model.reset();
  expect((await endOf(typed, looked, call('task_completion', { result: { sum: 'x' } }))).ended).toBe(
    'ToolQuotaExhausted',
  );
});

test('an empty result, another call, and a call of a tool that the agent does not have conclude nothing', async () => {
  const looked = call('look', { word: 'tea' });
  expect((await endOf(native, looked, call('task_completion', { result: ' ' }))).ended).toBe('ToolQuotaExhausted');
  kit.model.reset();
  expect((await endOf(native, looked, looked)).ended).toBe('ToolQuotaExhausted');
  kit.model.reset();
  expect((await endOf(plain, looked, call('task_completion', { result: 'x' }))).ended).toBe('ToolQuotaExhausted');
});
