import { defineAgent, defineTool } from 'holdfast';
import { type AgentTestEnvironment, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';

const note = defineTool({
  description: 'Writes a note',
  effect: 'idempotent',
  inputSchema: z.object({ q: z.unknown() }),
  execute: () => 'noted',
});
const writer = defineAgent({ name: 'hostile.writer', instructions: 'Write.', tools: { note } });

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [writer], server: 'dev' });
});
afterAll(() => kit.close());
afterEach(() => kit.model.reset());

const delta = (fields: object) => `data: ${JSON.stringify({ choices: [{ delta: fields }] })}\n\n`;
const end = 'data: {"choices":[{"delta":{},"finish_reason":"tool_calls"}]}\n\n';
const calls = (count: number, args: string, name = 'note') =>
  Array.from({ length: count }, (_, i) =>
    delta({ tool_calls: [{ index: i, id: `c${i}`, function: { name, arguments: args } }] }),
  ).join('');

test.each<[string, string]>([
  ['10,000 calls', calls(10_000, '{"q":"x"}')],
  ['10,000 calls of tools that do not exist', calls(10_000, '{}', 'n'.repeat(300))],
  ['3,000 calls with broken arguments', calls(3000, 'please')],
  ['1,500 calls with arguments that do not fit', calls(1500, '{"p":1}')],
  ['calls with numbers that grow', calls(12, `{"q":[${'1e20,'.repeat(15_000)}1]}`)],
  ['calls with many small values', calls(20, `{"q":[${'{"a":1},'.repeat(6000)}1]}`)],
])('a run goes on after an answer of %s', async (_, answer) => {
  kit.model.script({ raw: [answer, end] }, text('done'));
  const run = await kit.start(writer, { input: 'go' });
  expect((await run.result()).data).toBe('done');
  expect(kit.model.requests).toHaveLength(2);
  await kit.replay(run);
});

test('a run whose model alternates text and reasoning without limit ends with what fits', async () => {
  kit.model.script({ raw: [(delta({ content: 'x' }) + delta({ reasoning: 'y' })).repeat(50_000), end] });
  const run = await kit.start(writer, { input: 'go' });
  expect((await run.result()).data).toMatch(/^x{10000,}$/);
});

test('a run whose model never ends fails at once, and keeps the partial text', async () => {
  const said = 'x'.repeat(900_000);
  kit.model.script({ raw: [delta({ content: said }), 'x'.repeat(5 * 1024 * 1024)] });
  const run = await kit.start(writer, { input: 'go' });
  await expect(run.result()).rejects.toMatchObject({ type: 'ModelAnswerTooLarge' });
  expect((await run.transcript()).at(-1)).toMatchObject({ partial: true, parts: [{ text: said }] });
  expect(kit.model.requests).toHaveLength(1);
});
