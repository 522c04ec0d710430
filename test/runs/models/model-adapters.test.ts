import { defineAgent, defineTool } from 'holdfast';
import { type AgentTestEnvironment, createAgentTestEnvironment } from 'holdfast/testing';
import { defineModel, type ModelRequest } from 'holdfast/worker';
import { z } from 'zod';
import { modelAt, type ResponseServer, serveResponses } from '../../activities/model/responses/response-server';

const lookup = defineTool({
  description: 'Finds an order',
  effect: 'read',
  inputSchema: z.object({ id: z.string() }),
  execute: ({ id }) => `order ${id}`,
});
const asked: ModelRequest[] = [];
/** Calls the tool, then says its result. */
const own = defineModel({
  name: 'house gateway',
  model: 'm-own',
  async *stream(request) {
    asked.push(request);
    const last = request.messages.at(-1);
    if (last?.role === 'tool') yield [{ type: 'text', text: `It is ${JSON.stringify(last.content)}` }];
    else yield [{ type: 'call', id: 'a', name: 'lookup', arguments: { id: '7' }, providerData: { seal: 's' } }];
    yield { type: 'finish', reason: 'stop' };
  },
});

let kit: AgentTestEnvironment;
let server: ResponseServer;
const agents = ['own', 'responses'].map((model) => defineAgent({ name: `test.${model}`, model, tools: { lookup } }));
beforeAll(async () => {
  server = await serveResponses(
    {
      reply: { reasoning: 'hm', signature: 'gAAA', calls: [{ name: 'lookup', arguments: { id: '7' }, id: 'call_1' }] },
    },
    { reply: { text: 'It is there' } },
  );
  kit = await createAgentTestEnvironment({ agents, models: { own, responses: modelAt(server) } });
});
afterAll(() => Promise.all([kit?.close(), server.close()]));

it('a run with a function as its model gets back what the function gave', async () => {
  const run = await kit.start('test.own', { input: 'Where is 7?' });
  expect((await run.result()).data).toBe('It is [{"type":"text","text":"order 7"}]');
  expect(asked[1]?.messages).toMatchObject([
    { role: 'user' },
    { role: 'assistant', content: [{ type: 'call', id: 'a', input: { id: '7' }, providerData: { seal: 's' } }] },
    { role: 'tool', id: 'a', name: 'lookup' },
  ]);
  await kit.replay(run);
});

it('a run over OpenAI Responses sends the encrypted reasoning back with its call', async () => {
  const run = await kit.start('test.responses', { input: 'Where is 7?' });
  expect((await run.result()).data).toBe('It is there');
  expect(server.requests[1]?.body.input).toEqual([
    { role: 'user', content: 'Where is 7?' },
    {
      type: 'reasoning',
      id: expect.stringMatching(/^rs_/),
      summary: [{ type: 'summary_text', text: 'hm' }],
      encrypted_content: 'gAAA',
    },
    {
      type: 'function_call',
      id: expect.stringMatching(/^fc_/),
      call_id: 'call_1',
      name: 'lookup',
      arguments: '{"id":"7"}',
    },
    { type: 'function_call_output', call_id: 'call_1', output: 'order 7' },
  ]);
  await kit.replay(run);
});
