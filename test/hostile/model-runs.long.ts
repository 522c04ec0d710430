import { createServer } from 'node:http';
import { defineAgent, defineTool } from 'holdfast';
import { type AgentTestEnvironment, createAgentTestEnvironment } from 'holdfast/testing';
import { z } from 'zod';
import { listen } from '../kit/http-exchange';
import { APIS } from './stage/apis';
import type { HostileApi } from './stage/hostile-api';
import { SSE, stream } from './stage/hostile-model';

const note = defineTool({
  description: 'Writes a note',
  effect: 'idempotent',
  inputSchema: z.object({ q: z.unknown() }),
  execute: () => 'noted',
});

/** One API, and the agent whose model is reached through it. */
const cases = APIS.map((api, i) => {
  const model = `hostile-${i}`;
  return {
    api,
    model,
    writer: defineAgent({ name: `hostile.writer${i}`, model, instructions: 'Write.', tools: { note } }),
  };
});
const EACH = cases.map((one) => [one.api.name, one] as const);

/** What the server sends, answer by answer. */
const bodies: string[] = [];
const server = createServer((request, response) => {
  request.resume();
  const body = bodies.shift();
  if (body === undefined) response.writeHead(400).end('The script is over');
  else response.writeHead(200, SSE).end(body);
});
let kit: AgentTestEnvironment;
let close: () => Promise<void>;
beforeAll(async () => {
  const opened = await listen(server);
  close = opened.close;
  const baseUrl = `http://127.0.0.1:${opened.port}/v1`;
  kit = await createAgentTestEnvironment({
    agents: cases.map(({ writer }) => writer),
    models: Object.fromEntries(cases.map(({ api, model }) => [model, api.model(baseUrl, {})])),
    server: 'dev',
  });
});
afterAll(async () => {
  await kit.close();
  await close();
});
afterEach(() => bodies.splice(0));

describe.each(EACH)('%s', (_api, { api, writer }) => {
  test.each<[string, string]>([
    ['10,000 calls', calls(api, 10_000, '{"q":"x"}')],
    ['10,000 calls of tools that do not exist', calls(api, 10_000, '{}', 'n'.repeat(300))],
    ['3,000 calls with broken arguments', calls(api, 3000, 'please')],
    ['1,500 calls with arguments that do not fit', calls(api, 1500, '{"p":1}')],
    ['calls with numbers that grow', calls(api, 12, `{"q":[${'1e20,'.repeat(15_000)}1]}`)],
    ['calls with many small values', calls(api, 20, `{"q":[${'{"a":1},'.repeat(6000)}1]}`)],
  ])('a run goes on after an answer of %s', async (_, answer) => {
    bodies.push(stream(answer, api.ended({ calls: true })), stream(api.text('done'), api.ended()));
    const run = await kit.start(writer, { input: 'go' });
    expect((await run.result()).data).toBe('done');
    expect(bodies).toEqual([]);
    await kit.replay(run);
  });

  test('a run whose model alternates text and reasoning without limit ends with what fits', async () => {
    bodies.push(stream((api.text('x') + api.reasoning('y')).repeat(50_000), api.ended()));
    const run = await kit.start(writer, { input: 'go' });
    expect((await run.result()).data).toMatch(/^x{10000,}$/);
  });

  test('a run whose model never ends fails at once, and keeps the partial text', async () => {
    const said = 'x'.repeat(900_000);
    bodies.push(api.text(said) + 'x'.repeat(5 * 1024 * 1024), stream(api.text('again'), api.ended()));
    const run = await kit.start(writer, { input: 'go' });
    await expect(run.result()).rejects.toMatchObject({ type: 'ModelAnswerTooLarge' });
    expect((await run.transcript()).at(-1)).toMatchObject({ partial: true, parts: [{ text: said }] });
    expect(bodies).toHaveLength(1);
  });
});

function calls(api: HostileApi, count: number, args: string, name = 'note'): string {
  return Array.from({ length: count }, (_, index) => api.call({ index, id: `c${index}`, name, arguments: args })).join(
    '',
  );
}
