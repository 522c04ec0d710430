import { defineAgent, defineTool } from 'holdfast';
import { type AgentTestEnvironment, createAgentTestEnvironment, fault, text } from 'holdfast/testing';
import { z } from 'zod';

const KB = 1024;

const ran: string[] = [];
const note = defineTool({
  description: 'Writes a note',
  effect: 'idempotent',
  inputSchema: z.object({ text: z.string() }),
  execute: (args, { toolUseId = '' }) => {
    ran.push(toolUseId);
    return `${args.text.length} characters`;
  },
});

const writer = defineAgent({ name: 'limits.writer', instructions: 'Write.', tools: { note } });
const sorter = defineAgent({
  name: 'limits.sorter',
  instructions: 'Sort.',
  outputSchema: z.object({ queue: z.string() }),
});

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [writer, sorter], server: 'dev' });
});
afterAll(() => kit.close());
afterEach(() => {
  kit.model.reset();
  ran.length = 0;
});

it('bounds an answer of 3 MB and ends the run with what fits', async () => {
  kit.model.script(text('x'.repeat(3 * 1024 * KB), { chunkSize: 64 * KB }));
  const run = await kit.start(writer, { input: 'write' });
  const { data } = await run.result();
  expect(data.length).toBeGreaterThan(1000 * KB);
  expect(data.length).toBeLessThanOrEqual(1024 * KB);
  expect((await run.transcript()).at(-1)?.parts).toEqual([{ type: 'text', text: data }]);
});

it('sends an answer of 3 MB that is not the output back to the model, and takes the corrected one', async () => {
  kit.model.script(text('x'.repeat(3 * 1024 * KB), { chunkSize: 64 * KB }), text('{"queue":"tech"}'));
  const run = await kit.start(sorter, { input: 'sort' });
  expect((await run.result()).data).toEqual({ queue: 'tech' });
  expect((await run.transcript()).map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
  await kit.replay(run);
});

it('runs 300 calls of one answer', async () => {
  const calls = Array.from({ length: 300 }, (_, i) => ({ name: 'note', arguments: { text: `note ${i}` } }));
  kit.model.script({ calls }, text('written'));
  const run = await kit.start(writer, { input: 'write' });
  expect((await run.result()).data).toBe('written');
  expect(new Set(ran).size).toBe(300);
  expect(ran).toHaveLength(300);
  const results = (await kit.model.request(2)).body.messages.filter(({ role }) => role === 'tool');
  expect(results).toHaveLength(300);
  await kit.replay(run);
});

it('runs calls of one answer that have 900 KB of arguments in all', async () => {
  const calls = Array.from({ length: 9 }, () => ({ name: 'note', arguments: { text: 'é'.repeat(50 * KB) } }));
  kit.model.script({ calls, chunkSize: 4096 }, text('written'));
  const run = await kit.start(writer, { input: 'write' });
  expect((await run.result()).data).toBe('written');
  expect(ran).toHaveLength(9);
  await kit.replay(run);
});

it('counts arguments by their size, and not by the pieces in which they arrive', async () => {
  // Providers send one token a piece, about four characters: the piece around it is ten times larger.
  kit.model.script({ calls: [{ name: 'note', arguments: { text: 'x'.repeat(200 * KB) } }], chunkSize: 4 }, text('ok'));
  const run = await kit.start(writer, { input: 'write' });
  expect((await run.result()).data).toBe('ok');
  expect((await kit.model.request(2)).body.messages.at(-1)?.content).toBe(`${200 * KB} characters`);
});

it('keeps 200 KB of partial text of a call that failed for good', async () => {
  kit.model.script(text('x'.repeat(200 * KB), { chunkSize: 8 * KB, finishReason: 'content_filter' }));
  const run = await kit.start(writer, { input: 'write' });
  await expect(run.result()).rejects.toMatchObject({ type: 'Refused' });
  expect((await run.transcript()).at(-1)).toMatchObject({
    partial: true,
    parts: [{ type: 'text', text: 'x'.repeat(200 * KB) }],
  });
  expect((await run.state()).usage.completion).toBeGreaterThan(50 * KB - 1);
});

it('keeps the partial text of a cancelled call, 200 KB of it', async () => {
  kit.model.script(fault({ kind: 'stall', after: 200 * KB }, { text: 'x'.repeat(300 * KB), chunkSize: 8 * KB }));
  const run = await kit.start(writer, { input: 'write' });
  const { socketClosed } = await kit.model.request(1);
  let heard = 0;
  for await (const event of run.events()) {
    if (event.type === 'stream.text') heard += event.text.length;
    if (heard === 200 * KB) break;
  }
  await run.cancel();
  await socketClosed;
  await expect(run.result()).rejects.toMatchObject({ type: 'Cancelled' });
  expect((await run.transcript()).at(-1)).toMatchObject({ partial: true, parts: [{ text: 'x'.repeat(200 * KB) }] });
});
