import { originOf } from '../../../../activities/model/answer/provider-data';
import { buildRequest, type RequestArgs } from '../../../../activities/model/request/build-request';
import type { Message, Part, ToolUsePart } from '../../../../agent/model/message';
import type { ToolSpec } from '../../../../agent/protocol/manifest';
import { hashOfArguments } from '../../../../runtime/sha256';

const config = { baseUrl: 'http://localhost:1/v1', model: 'm' };
const PNG = { type: 'media', mediaType: 'image/png', data: 'AAAA' } as const;

const tool = (name: string, modelName = name): ToolSpec => ({
  name,
  kind: 'internal',
  modelName,
  description: `Does ${name}`,
  inputSchema: { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object', properties: {} },
  effect: 'once',
  priority: 0,
  timeout: 1000,
  attempts: 1,
  placement: 'activity',
  cancellation: 'wait',
});
const user = (...parts: Part[]): Message => ({ role: 'user', parts, turn: 0 });
const said = (turn: number, ...parts: Part[]): Message => ({ role: 'assistant', parts, turn });
const text = (value: string): Part => ({ type: 'text', text: value });
const use = (toolUseId: string, extra: Partial<ToolUsePart> = {}): Part => ({
  type: 'tool_use',
  toolUseId,
  name: 'look.up',
  input: { q: 1 },
  ...extra,
});
const result = (turn: number, toolUseId: string, ...content: (typeof PNG | { type: 'text'; text: string })[]) =>
  ({ role: 'user', turn, parts: [{ type: 'tool_result', toolUseId, name: 'look.up', content }] }) satisfies Message;

const build = (extra: Partial<RequestArgs>) => buildRequest({ config, messages: [], tools: [], call: 1, ...extra });
const messagesOf = (messages: Message[], call = 1, extra: Partial<RequestArgs> = {}) =>
  build({ messages, call, ...extra }).messages;
const lookUp = [tool('look.up', 'look_up')];

describe('the request', () => {
  test('asks for a stream with usage, and leaves out what is not set', () => {
    expect(build({ messages: [user(text('hi'))] })).toEqual({
      model: 'm',
      messages: [{ role: 'user', content: 'hi' }],
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  test.each([
    [undefined, []],
    [null, []],
    ['', []],
    ['Be brief', [{ role: 'system', content: 'Be brief' }]],
  ])('the system prompt %p gives the messages %j', (system, expected) => {
    expect(build({ system }).messages).toEqual(expected);
  });

  test('tools go out under the names that the model uses, without the dialect of their schema', () => {
    expect(build({ tools: lookUp }).tools).toEqual([
      {
        type: 'function',
        function: { name: 'look_up', description: 'Does look.up', parameters: { type: 'object', properties: {} } },
      },
    ]);
  });

  test('tool_choice none keeps the tools, and is left out without tools', () => {
    expect(build({ tools: lookUp, toolChoice: 'none' })).toMatchObject({ tool_choice: 'none', tools: [{}] });
    expect(build({ toolChoice: 'none' })).not.toHaveProperty('tool_choice');
  });

  test('whether several calls may come at once is said where the agent says it, and left out without tools', () => {
    expect(build({ tools: lookUp, parallelToolCalls: false })).toMatchObject({ parallel_tool_calls: false });
    expect(build({ tools: lookUp })).not.toHaveProperty('parallel_tool_calls');
    expect(build({ parallelToolCalls: false })).not.toHaveProperty('parallel_tool_calls');
  });

  test('an output schema becomes a response format', () => {
    expect(build({ output: { type: 'object' } }).response_format).toEqual({
      type: 'json_schema',
      json_schema: { name: 'output', schema: { type: 'object' }, strict: false },
    });
  });

  test.each([
    ['http://localhost:1/v1', 'max_tokens'],
    ['https://api.openai.com/v1', 'max_completion_tokens'],
    ['https://us.openai.azure.com/openai/v1', 'max_completion_tokens'],
    ['https://evil.example/api.openai.com', 'max_tokens'],
  ])('the greatest length of an answer of %s is %s', (baseUrl, field) => {
    const request = build({ config: { ...config, baseUrl, maxTokens: 9, temperature: 0 } });
    expect(request).toMatchObject({ [field]: 9, temperature: 0 });
    expect(Object.keys(request).filter((key) => key.startsWith('max_'))).toEqual([field]);
  });
});

describe('calls and results', () => {
  test('an answer keeps its text beside its calls, and results follow it under the same ids', () => {
    const messages = [
      user(text('go')),
      said(1, text('Looking.'), use('t1.1', { providerId: 'a' }), use('t1.2')),
      result(1, 't1.1', { type: 'text', text: 'one' }, { type: 'text', text: 'two' }),
      result(1, 't1.2'),
    ];
    const call = (id: string) => ({ id, type: 'function', function: { name: 'look_up', arguments: '{"q":1}' } });
    expect(messagesOf(messages, 2, { tools: lookUp })).toEqual([
      { role: 'user', content: 'go' },
      { role: 'assistant', content: 'Looking.', tool_calls: [call('a'), call('t1.2')] },
      { role: 'tool', tool_call_id: 'a', content: 'one\ntwo' },
      { role: 'tool', tool_call_id: 't1.2', content: '(empty result)' },
    ]);
  });

  test('an answer of calls alone has null as its content', () => {
    expect(messagesOf([said(1, use('t1.1'))])[0]).toMatchObject({ content: null });
    expect(messagesOf([said(1)])[0]).toEqual({ role: 'assistant', content: '' });
  });

  test.each([
    ['given once', ['a', 'b'], ['a', 'b']],
    ['missing', [undefined, 'b'], ['t1.1', 'b']],
    ['empty', ['', ''], ['t1.1', 't2.1']],
    ['repeated', ['a', 'a'], ['t1.1', 't2.1']],
    ['one of ours', ['t2.1', 'b'], ['t1.1', 'b']],
  ])('ids of the provider that are %s', (_, given, sent) => {
    const messages = given.flatMap((providerId, i) => [
      said(i + 1, use(`t${i + 1}.1`, providerId === undefined ? {} : { providerId })),
      result(i + 1, `t${i + 1}.1`),
    ]);
    const out = messagesOf(messages, 3) as { tool_calls?: { id: string }[]; tool_call_id?: string }[];
    expect(out.flatMap((message) => message.tool_calls?.map((call) => call.id) ?? [])).toEqual(sent);
    expect(out.flatMap((message) => message.tool_call_id ?? [])).toEqual(sent);
  });

  test.each([
    ['look.up', 'look_up'],
    ['made up!', 'made_up_'],
    ['x'.repeat(70), 'x'.repeat(64)],
    ['', '_'],
  ])('the tool %p is sent as %p', (name, sent) => {
    expect(messagesOf([said(1, use('t1.1', { name }))], 2, { tools: lookUp })[0]).toMatchObject({
      tool_calls: [{ function: { name: sent } }],
    });
  });
});

describe('media', () => {
  test.each([
    [PNG, { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }],
    [
      { type: 'media', mediaType: 'image/jpeg', url: 'https://x/y.jpg' },
      { type: 'image_url', image_url: { url: 'https://x/y.jpg' } },
    ],
    [
      { type: 'media', mediaType: 'audio/wav', data: 'BB' },
      { type: 'input_audio', input_audio: { data: 'BB', format: 'wav' } },
    ],
    [
      { type: 'media', mediaType: 'audio/mpeg', data: 'BB' },
      { type: 'input_audio', input_audio: { data: 'BB', format: 'mp3' } },
    ],
    [
      { type: 'media', mediaType: 'application/pdf', data: 'CC', name: 'a.pdf' },
      { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,CC' } },
    ],
    [
      { type: 'media', mediaType: 'audio/ogg', url: 'https://x/y.ogg' },
      { type: 'file', file: { filename: 'file.ogg', file_data: 'https://x/y.ogg' } },
    ],
  ] as const)('%j', (part, expected) => {
    expect(messagesOf([user(text('see'), part)])).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'see' }, expected] },
    ]);
  });

  test('media that an earlier call showed become a text that names type and format', () => {
    expect(messagesOf([user(text('see'), PNG)], 2)).toEqual([
      { role: 'user', content: 'see\n[image, png: shown in an earlier call, left out here]' },
    ]);
    expect(messagesOf([{ ...user({ ...PNG, name: 'a' }), seenCount: 1 }], 1)).toEqual([
      { role: 'user', content: '[image, png, "a": shown in an earlier call, left out here]' },
    ]);
  });

  test('media of results follow in one user message after all results of the batch', () => {
    const batch = [
      said(1, use('t1.1'), use('t1.2')),
      result(1, 't1.1', { type: 'text', text: 'here' }, PNG),
      result(1, 't1.2', PNG),
      { role: 'user', turn: 1, parts: [text('and?')] } satisfies Message,
    ];
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
    const head = { type: 'text', text: 'Media from the result of look.up:' };
    expect(messagesOf(batch, 2).slice(1)).toEqual([
      { role: 'tool', tool_call_id: 't1.1', content: 'here\n[image, png: see the next user message]' },
      { role: 'tool', tool_call_id: 't1.2', content: '[image, png: see the next user message]' },
      { role: 'user', content: [head, image, head, image] },
      { role: 'user', content: 'and?' },
    ]);
    const later = messagesOf(batch, 3).slice(1);
    expect(later[0]).toMatchObject({ content: 'here\n[image, png: shown in an earlier call, left out here]' });
    expect(later.map((message) => message.role)).toEqual(['tool', 'tool', 'user']);
  });

  test('media of the last results come at the end, and before the next answer', () => {
    const batch = [said(1, use('t1.1')), result(1, 't1.1', PNG)];
    expect(messagesOf(batch, 2).map(({ role }) => role)).toEqual(['assistant', 'tool', 'user']);
    const unseen = [said(5, use('t5.1')), result(5, 't5.1', PNG), said(6, text('ok'))];
    expect(messagesOf(unseen, 6).map(({ role }) => role)).toEqual(['assistant', 'tool', 'user', 'assistant']);
  });

  test('media among the words of the model are named', () => {
    expect(messagesOf([said(0, text('A picture: '), PNG)])).toEqual([
      { role: 'assistant', content: 'A picture: [image, png]' },
    ]);
  });
});

describe('what belongs to the provider', () => {
  const origin = originOf(config);
  const withData = (providerData: NonNullable<Message['providerData']>, ...parts: Part[]): Message => ({
    ...said(1, ...parts),
    providerData,
  });

  test('fields of the message go back to where they came from, and cannot replace ours', () => {
    const data = { origin, message: { reasoning_details: [{ signature: 's' }], role: 'system' } };
    expect(messagesOf([withData(data, text('x'))])).toEqual([
      { reasoning_details: [{ signature: 's' }], role: 'assistant', content: 'x' },
    ]);
  });

  test('another model, or another server, gets none of it', () => {
    const data = { origin, message: { signature: 's' }, reasoning: 'reasoning' };
    const message = withData(data, { type: 'reasoning', text: 'hm' }, use('t1.1'));
    for (const other of [
      { ...config, model: 'n' },
      { ...config, baseUrl: 'http://other/v1' },
    ]) {
      const [sent] = messagesOf([message], 2, { config: other });
      expect(Object.keys(sent as object).sort()).toEqual(['content', 'role', 'tool_calls']);
    }
  });

  test('reasoning goes back in its own field with calls, and is left out after a final answer', () => {
    const data = { origin, reasoning: 'reasoning_content' };
    const thought: Part = { type: 'reasoning', text: 'hm' };
    expect(messagesOf([withData(data, thought, use('t1.1'))])[0]).toMatchObject({ reasoning_content: 'hm' });
    expect(messagesOf([withData(data, thought, text('done'))])).toEqual([{ role: 'assistant', content: 'done' }]);
  });

  test('fields of calls find their call by id, else by name and arguments, also when calls were dropped', () => {
    const entry = (id: string | undefined, q: number, mark: string) => ({
      ...(id === undefined ? {} : { id }),
      name: 'look_up',
      input: hashOfArguments({ q }),
      fields: { extra_content: mark },
    });
    const calls = [entry('gone', 1, 'no'), entry('b', 1, 'by id'), entry(undefined, 2, 'by input')];
    const message = withData(
      { origin, calls },
      use('t1.1', { providerId: 'b', input: { q: 9 } }),
      use('t1.2', { input: { q: 2 } }),
      use('t1.3', { input: { q: 2 } }),
    );
    const [sent] = messagesOf([message], 2, { tools: lookUp }) as { tool_calls?: { extra_content?: string }[] }[];
    expect(sent?.tool_calls?.map((call) => call.extra_content)).toEqual(['by id', 'by input', undefined]);
  });
});
