import { asyncLocalStorage, type Context } from '@temporalio/activity';
import { responsesRequest } from '../../../../activities/model/adapters/responses/responses-request';
import { modelRequest, type RequestArgs } from '../../../../activities/model/request/model-request';
import type { ServerModel } from '../../../../agent/model/config';
import type { Part } from '../../../../agent/model/message';
import { closeAfterTest } from '../../../close-after-test';
import { ask } from '../asking';
import { config as chat, lookUp, PNG, result, said, text, use, user } from '../request/sent';
import { modelAt, serveResponses } from './response-server';

const config: ServerModel = { ...chat, api: 'responses' };
const body = (extra: Partial<RequestArgs> = {}) =>
  responsesRequest(modelRequest({ config, messages: [], tools: [], call: 1, ...extra }));
const input = (...messages: RequestArgs['messages']) => body({ messages, call: 1 }).input;

it('what the API has no field for is logged once, in one line', async () => {
  const server = await serveResponses({ reply: { text: 'ok' } }, { reply: { text: 'ok' } });
  closeAfterTest(server);
  const model = modelAt(server);
  const lines: unknown[] = [];
  const log = { warn: (_what: string, fields: object) => lines.push(fields) };
  await asyncLocalStorage.run({ log } as unknown as Context, async () => {
    await ask({ ...model, stop: ['END'], seed: 7 });
    await ask({ ...model, stop: ['END'], seed: 8 });
  });
  const said = ['stop', 'seed'].map(
    (name) => `OpenAI Responses has no field for \`${name}\`. Remove it, or use \`api: chat\``,
  );
  expect(lines).toEqual([{ provider: expect.stringContaining('127.0.0.1'), model: 'm', warnings: said }]);
  expect(JSON.stringify(server.requests.map(({ body: sent }) => sent))).not.toMatch(/END|seed/);
});

it('stores nothing, and asks for what is needed to go on', () => {
  expect(body({ system: 'Sort.' })).toEqual({
    model: 'm',
    instructions: 'Sort.',
    input: [],
    stream: true,
    store: false,
    include: ['reasoning.encrypted_content'],
  });
});

it.each(['gpt-4o', 'gpt-4.1-mini', 'openai/gpt-4o', 'chatgpt-4o-latest', 'gpt-5-chat-latest', 'ft:gpt-4o:me'])(
  '%s does not reason, and is not asked for reasoning',
  (model) => {
    expect(body({ config: { ...config, model } })).not.toHaveProperty('include');
  },
);

it.each(['gpt-5', 'o3', 'gpt-oss-20b', 'qwen3:8b'])('%s may reason', (model) => {
  expect(body({ config: { ...config, model } })).toHaveProperty('include');
});

it('sends settings by the names of the API, and extra fields over them', () => {
  const settings = {
    temperature: 0,
    topP: 0.5,
    maxTokens: 100,
    reasoningEffort: 'low',
    serviceTier: 'flex',
    extraBody: { temperature: 1, metadata: { team: 'blue' } },
  };
  expect(body({ config: { ...config, ...settings } })).toMatchObject({
    temperature: 1,
    top_p: 0.5,
    max_output_tokens: 100,
    reasoning: { effort: 'low' },
    service_tier: 'flex',
    metadata: { team: 'blue' },
  });
});

it('sends tools, and what is said about them only with them', () => {
  const about = { toolChoice: 'none', config: { ...config, parallelToolCalls: false } } as const;
  expect(body({ ...about, tools: lookUp })).toMatchObject({
    tools: [{ type: 'function', name: 'look_up', description: 'Does look.up', strict: false, parameters: {} }],
    tool_choice: 'none',
    parallel_tool_calls: false,
  });
  expect(Object.keys(body(about))).not.toEqual(expect.arrayContaining([expect.stringContaining('tool')]));
});

it('sends the choice of one tool by its name', () => {
  const asked = modelRequest({ config, messages: [], tools: lookUp, call: 1 });
  expect(responsesRequest({ ...asked, toolChoice: { tool: 'look_up' } }).tool_choice).toEqual({
    type: 'function',
    name: 'look_up',
  });
});

it('sends the schema of the output', () => {
  const schema = { type: 'object' };
  expect(body({ output: schema }).text).toEqual({
    format: { type: 'json_schema', name: 'output', schema, strict: false },
  });
  const asked = modelRequest({ config, messages: [], tools: [], call: 1 });
  expect(responsesRequest({ ...asked, output: { type: 'json_object' } }).text).toEqual({
    format: { type: 'json_object' },
  });
});

it('sends messages, calls and results as items', () => {
  const messages = [
    user(text('hi')),
    said(1, text('I look.'), use('t1.1', { providerId: 'call_a' })),
    result(1, 't1.1', { type: 'text', text: 'found' }),
    said(2, use('t2.1')),
    result(2, 't2.1'),
  ];
  expect(body({ messages, call: 3, tools: lookUp }).input).toEqual([
    { role: 'user', content: 'hi' },
    { role: 'assistant', content: 'I look.' },
    { type: 'function_call', call_id: 'call_a', name: 'look_up', arguments: '{"q":1}' },
    { type: 'function_call_output', call_id: 'call_a', output: 'found' },
    { type: 'function_call', call_id: 't2.1', name: 'look_up', arguments: '{"q":1}' },
    { type: 'function_call_output', call_id: 't2.1', output: '(empty result)' },
  ]);
});

const IMAGE = { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' };

it.each<[Part, object]>([
  [PNG, IMAGE],
  [
    { type: 'media', mediaType: 'image/jpeg', url: 'https://x/y.jpg' },
    { type: 'input_image', image_url: 'https://x/y.jpg', detail: 'auto' },
  ],
  [
    { type: 'media', mediaType: 'application/pdf', data: 'CC', name: 'a.pdf' },
    { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,CC' },
  ],
  [
    { type: 'media', mediaType: 'application/pdf', data: 'CC' },
    { type: 'input_file', filename: 'file.pdf', file_data: 'data:application/pdf;base64,CC' },
  ],
  [
    { type: 'media', mediaType: 'application/pdf', url: 'https://x/y.pdf', name: 'y.pdf' },
    { type: 'input_file', file_url: 'https://x/y.pdf' },
  ],
  [
    { type: 'media', mediaType: 'audio/wav', url: 'https://x/y.wav' },
    { type: 'input_text', text: '[audio, wav, not shown here: https://x/y.wav]' },
  ],
  [
    { type: 'media', mediaType: 'audio/wav', data: 'BB' },
    { type: 'input_text', text: '[audio, wav]' },
  ],
  [
    { type: 'media', mediaType: 'image/svg+xml', data: 'AA' },
    { type: 'input_text', text: '[image, svg]' },
  ],
  [
    { type: 'media', mediaType: 'image/bmp', data: 'Qk0=' },
    { type: 'input_text', text: '[image, bmp]' },
  ],
])('sends %j', (part, expected) => {
  // Beside an image, so that the content is a list.
  expect(input(user(text('see'), part, PNG))).toEqual([
    { role: 'user', content: [{ type: 'input_text', text: 'see' }, expected, IMAGE] },
  ]);
});

it('images of a result are part of it', () => {
  const messages = [said(1, use('t1.1')), result(1, 't1.1', { type: 'text', text: 'here' }, PNG)];
  expect(body({ messages, call: 2 }).input).toMatchObject([
    { type: 'function_call' },
    { type: 'function_call_output', call_id: 't1.1', output: [{ type: 'input_text', text: 'here' }, IMAGE] },
  ]);
});

it('media in messages of the model are named', () => {
  expect(input(said(0, text('A picture: '), PNG))).toEqual([
    { role: 'assistant', content: 'A picture: ' },
    { role: 'assistant', content: '[image, png]' },
  ]);
});
