import { aiSdk } from 'holdfast/worker';
import type { Message } from '../../../../../agent/model/message';
import { isJsonObject, type Json, type JsonObject } from '../../../../../agent/values/json';
import { followed, PNG, text, user } from '../../../../adapters/exchange';
import { ask } from '../../asking';
import { lookup } from '../../lookup';
import { begins, called, events, grows, message, raw, said } from '../raw-server';

const hi = user(text('hi'));
const ok = events(...message([said('ok')]));
const list = (value: Json | undefined) => (Array.isArray(value) ? value.filter(isJsonObject) : []);

describe('what the provider wants back', () => {
  const thinking = [
    begins({ type: 'thinking', thinking: '' }),
    grows({ type: 'thinking_delta', thinking: 'I have ' }),
    grows({ type: 'thinking_delta', thinking: 'to look.' }),
    grows({ type: 'signature_delta', signature: 'sig-1' }),
  ];
  const redacted = [begins({ type: 'redacted_thinking', data: 'c2VjcmV0' })];
  const calling = events(
    ...message([thinking, redacted, said('Looking.'), called('look_up', { q: 'x' })], { stop_reason: 'tool_use' }),
  );

  test('thinking with its signature and redacted thinking are sent back as they came, before text and call', async () => {
    const server = await raw(calling, ok);
    const model = aiSdk(server.claude());
    const answer = await ask(model, { tools: [lookup] });
    await ask(model, { tools: [lookup], messages: [hi, ...followed(answer, [text('found')])], call: 2 });
    expect(list(server.bodies[1]?.messages)[1]).toEqual({
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'I have to look.', signature: 'sig-1' },
        { type: 'redacted_thinking', data: 'c2VjcmV0' },
        { type: 'text', text: 'Looking.' },
        { type: 'tool_use', id: 'toolu_1', name: 'look_up', input: { q: 'x' } },
      ],
    });
  });

  test('another model gets neither thinking nor signature', async () => {
    const server = await raw(calling, ok);
    const answer = await ask(aiSdk(server.claude()), { tools: [lookup] });
    const other = aiSdk(server.claude('claude-opus-4-5'));
    await ask(other, { tools: [lookup], messages: [hi, ...followed(answer, [text('found')])], call: 2 });
    expect(list(server.bodies[1]?.messages)[1]?.content).toMatchObject([{ type: 'text' }, { type: 'tool_use' }]);
    expect(JSON.stringify(server.bodies[1])).not.toMatch(/sig-1|c2VjcmV0|I have/);
  });

  test('another server gets neither, though provider and model have the same names', async () => {
    const [one, other] = [await raw(calling, ok), await raw(ok)];
    const answer = await ask(aiSdk(one.claude()), { tools: [lookup] });
    const again = { tools: [lookup], messages: [hi, ...followed(answer, [text('found')])], call: 2 };
    await ask(aiSdk(one.claude()), again);
    await ask(aiSdk(other.claude()), again);
    expect(JSON.stringify(one.bodies[1])).toMatch(/sig-1/);
    expect(JSON.stringify(other.bodies[0])).not.toMatch(/sig-1|c2VjcmV0|I have/);
  });
});

describe('the cache', () => {
  const calling = (id: string) => events(...message([called('look_up', { q: id }, id)], { stop_reason: 'tool_use' }));
  const marksIn = (value: unknown) => JSON.stringify(value).split('cache_control').length - 1;
  const unmarked = (value: unknown) =>
    JSON.stringify(value, (key, inner: unknown) => (key === 'cache_control' ? undefined : inner));

  async function run(settings = {}): Promise<readonly JsonObject[]> {
    const server = await raw(calling('toolu_1'), calling('toolu_2'), ok);
    const model = aiSdk(server.claude(), settings);
    const messages: Message[] = [hi];
    for (const call of [1, 2, 3]) {
      const answer = await ask(model, { system: 'Be brief', tools: [lookup], messages, call });
      const exchange = JSON.stringify(followed(answer, [text(`found ${call}`)]));
      messages.push(...(JSON.parse(exchange.replaceAll('t1.', `t${call}.`)) as Message[]));
    }
    return server.bodies;
  }

  test('gets marks on the tools, the system prompt, and the newest message of this call and of the one before', async () => {
    const [first, , third] = await run();
    const mark = { cache_control: { type: 'ephemeral' } };
    for (const body of [first, third]) {
      expect(list(body?.tools).at(-1)).toMatchObject(mark);
      expect(list(body?.system)[0]).toMatchObject(mark);
    }
    expect(marksIn(first)).toBe(3);
    expect(marksIn(third)).toBe(4);
    const marked = list(third?.messages).map((each) => marksIn(each));
    // user, call, result, call, result
    expect(marked).toEqual([0, 0, 1, 0, 1]);
  });

  test('finds the whole of each call at the beginning of the next one, byte for byte', async () => {
    const bodies = await run();
    expect(bodies).toHaveLength(3);
    for (const [i, body] of bodies.slice(1).entries()) {
      const before = bodies[i] ?? {};
      expect(unmarked([body.tools, body.system])).toBe(unmarked([before.tools, before.system]));
      const own = unmarked(before.messages);
      expect(unmarked(body.messages).startsWith(own.slice(0, -1))).toBe(true);
    }
  });

  test('gets no marks of ours if it is switched off, or if the user sets one', async () => {
    for (const body of await run({ promptCaching: false })) expect(marksIn(body)).toBe(0);
    const cacheControl = { type: 'ephemeral', ttl: '1h' };
    for (const body of await run({ providerOptions: { anthropic: { cacheControl } } })) {
      expect([marksIn(body), body.cache_control]).toEqual([1, cacheControl]);
    }
  });

  test('reads and writes are counted, as parts of the prompt', async () => {
    const usage = { cache_read_input_tokens: 500, cache_creation_input_tokens: 40 };
    const server = await raw(events(...message([said('ok')], { usage })));
    const { usage: counted } = await ask(aiSdk(server.claude()));
    expect(counted).toEqual({ prompt: 550, completion: 7, cached: 500, cacheWritten: 40 });
  });
});

test('settings arrive in the words of the provider', async () => {
  const server = await raw(ok);
  const thinking = { type: 'enabled', budgetTokens: 2000 };
  const model = aiSdk(server.claude(), {
    maxTokens: 500,
    stop: ['END'],
    providerOptions: { anthropic: { thinking } },
  });
  await ask({ ...model, parallelToolCalls: false }, { tools: [lookup], toolChoice: 'none' });
  expect(server.bodies[0]).toMatchObject({
    model: 'claude-sonnet-4-5',
    stream: true,
    max_tokens: 2500,
    stop_sequences: ['END'],
    thinking: { type: 'enabled', budget_tokens: 2000 },
    tool_choice: { type: 'none' },
  });
});

test('an agent that wants one call at a time gets it', async () => {
  const server = await raw(ok);
  await ask({ ...aiSdk(server.claude()), parallelToolCalls: false }, { tools: [lookup] });
  expect(server.bodies[0]?.tool_choice).toEqual({ type: 'auto', disable_parallel_tool_use: true });
});

test('structured output of a model that has it is the schema of the answer', async () => {
  const server = await raw(events(...message([said('{"queue":"tech"}')])));
  const output = { type: 'object', properties: { queue: { type: 'string' } }, required: ['queue'] };
  expect(await ask(aiSdk(server.claude()), { output })).toMatchObject({ type: 'json' });
  expect(server.bodies[0]?.output_config).toMatchObject({ format: { type: 'json_schema', schema: output } });
});

test('media are sent as data or as an address, also in a result, and beside one that is an error', async () => {
  const server = await raw(events(...message([called('look_up', { q: 'x' })], { stop_reason: 'tool_use' })), ok, ok);
  const model = aiSdk(server.claude());
  const url = { type: 'media' as const, mediaType: 'image/jpeg', url: 'https://example.com/cat.jpg' };
  const question = user(text('What is this?'), PNG, url);
  const answer = await ask(model, { tools: [lookup], messages: [question] });
  const [answered, result] = followed(answer, [PNG, url]);
  if (answered === undefined || result === undefined) throw new Error('no exchange');
  const source = { type: 'base64', media_type: 'image/png', data: PNG.data };
  const address = { type: 'url', url: url.url };
  expect(list(server.bodies[0]?.messages)[0]?.content).toMatchObject([
    { type: 'text' },
    { source },
    { source: address },
  ]);

  await ask(model, { tools: [lookup], messages: [question, answered, result], call: 2, mask: (part) => part });
  expect(list(server.bodies[1]?.messages)[2]?.content).toMatchObject([
    {
      type: 'tool_result',
      content: [{ type: 'text', text: '[image, png]\n[image, jpeg]' }, { source }, { source: address }],
    },
  ]);

  const failed = { ...result, parts: result.parts.map((part) => ({ ...part, isError: true as const })) } as Message;
  await ask(model, { tools: [lookup], messages: [question, answered, failed], call: 2, mask: (part) => part });
  expect(list(server.bodies[2]?.messages)[2]?.content).toMatchObject([
    {
      type: 'tool_result',
      is_error: true,
      content: expect.stringContaining('[image, png: see the next user message]'),
    },
    { type: 'text', text: 'Media from the result of look_up:' },
    { source },
    { source: address },
  ]);
});

test('a turn that Anthropic pauses is not a whole answer', async () => {
  const server = await raw(events(...message([said('Let me search.')], { stop_reason: 'pause_turn' })));
  expect(await ask(aiSdk(server.claude()))).toMatchObject({ finishReason: 'length' });
});
