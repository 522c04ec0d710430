import { ApplicationFailure } from '@temporalio/common';
import { ModelCallStopped, type StreamChatArgs, streamChat } from '../../../activities/model/stream-chat';
import type { Json, JsonObject } from '../../../agent/json';
import { BYTES } from '../../../agent/limits';
import type { ToolSpec } from '../../../agent/manifest';
import type { ModelAnswer } from '../../../agent/model-answer';
import type { ModelConfig } from '../../../agent/model-config';
import type { DeltaBody } from '../../../agent/stream';
import { call, calls, fault, ScriptedModel, type ScriptStep, text } from '../../kit/scripted-model';

const running: ScriptedModel[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((model) => model.close()));
});

async function model(...steps: ScriptStep[]): Promise<ScriptedModel> {
  const started = await new ScriptedModel(...steps).start();
  running.push(started);
  return started;
}

const configOf = (server: ScriptedModel, extra: Partial<ModelConfig> = {}): ModelConfig => ({
  baseUrl: server.url,
  model: 'm',
  ...extra,
});

function ask(config: ModelConfig, extra: Partial<StreamChatArgs> = {}): Promise<ModelAnswer> {
  return streamChat({
    config,
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'hi' }], turn: 0 }],
    tools: [],
    call: 1,
    signal: new AbortController().signal,
    onDelta: () => {},
    ...extra,
  });
}

async function failureOf(work: Promise<unknown>): Promise<ApplicationFailure> {
  const error = await work.then(
    (value) => new Error(`No failure but ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ApplicationFailure)) throw error;
  return error;
}

const lookup: ToolSpec = {
  name: 'look.up',
  kind: 'internal',
  modelName: 'look_up',
  description: 'Looks up',
  inputSchema: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] },
  effect: 'read',
  priority: 0,
  timeout: 1000,
  attempts: 1,
  placement: 'activity',
  cancellation: 'wait',
};

const delta = (fields: JsonObject, finish: string | null = null): JsonObject => ({
  model: 'm',
  choices: [{ index: 0, delta: fields, finish_reason: finish }],
});
const end = (finish = 'stop') => delta({}, finish);

describe('an answer', () => {
  test('text: streamed piece by piece, with usage and the name of the model', async () => {
    const server = await model(text('Hello world', { chunkSize: 4, usage: { prompt: 7, completion: 3 } }));
    const seen: DeltaBody[] = [];
    const answer = await ask(configOf(server), { onDelta: (body) => seen.push(body) });
    expect(answer).toEqual({
      type: 'text',
      parts: [{ type: 'text', text: 'Hello world' }],
      toolRequests: [],
      finishReason: 'stop',
      usage: { prompt: 7, completion: 3 },
      executionUnits: 10,
      model: 'm',
    });
    expect(seen).toEqual(['Hell', 'o wo', 'rld'].map((piece) => ({ type: 'stream.text', text: piece })));
    expect(server.requests[0]?.body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  });

  test('reasoning and text keep their order', async () => {
    const server = await model({
      raw: [
        delta({ reasoning_content: 'hm' }),
        delta({ content: 'So ' }),
        delta({ reasoning: 'wait', reasoning_content: 'wait' }),
        delta({ content: 'yes' }),
        end(),
      ],
    });
    expect((await ask(configOf(server))).parts).toEqual([
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'So ' },
      { type: 'reasoning', text: 'wait' },
      { type: 'text', text: 'yes' },
    ]);
  });

  test('calls: beside what was said, with the ids of the provider, streamed as pieces', async () => {
    const server = await model({
      text: 'Looking.',
      calls: [
        { name: 'look_up', arguments: { q: 'x' }, id: 'a' },
        { name: 'look_up', arguments: { q: 'y' }, id: '' },
      ],
      chunkSize: 1000,
    });
    const seen: DeltaBody[] = [];
    const answer = await ask(configOf(server), { tools: [lookup], onDelta: (body) => seen.push(body) });
    expect(answer).toMatchObject({ type: 'tool_call', finishReason: 'tool_calls', parts: [{ text: 'Looking.' }] });
    expect(answer.toolRequests).toEqual([
      { providerId: 'a', name: 'look_up', input: { q: 'x' } },
      { name: 'look_up', input: { q: 'y' } },
    ]);
    expect(seen.filter((body) => body.type === 'stream.tool')).toContainEqual({
      type: 'stream.tool',
      index: 1,
      name: 'look_up',
      arguments: '{"q":"y"}',
    });
  });

  test.each(['stop', 'function_call', 'something new'])('calls are calls though the reason is %s', async (reason) => {
    const server = await model(call('look_up', { q: 'x' }, { finishReason: reason }));
    expect(await ask(configOf(server), { tools: [lookup] })).toMatchObject({
      type: 'tool_call',
      finishReason: 'tool_calls',
    });
  });

  test('the old function_call is a call', async () => {
    const server = await model({
      raw: [
        delta({ function_call: { name: 'look_up', arguments: '{"q"' } }),
        delta({ function_call: { arguments: ':"x"}' } }),
        end('function_call'),
      ],
    });
    expect((await ask(configOf(server), { tools: [lookup] })).toolRequests).toEqual([
      { name: 'look_up', input: { q: 'x' } },
    ]);
  });

  test.each([
    ['{"a":1}', 'json'],
    ['not json', 'text'],
  ])('%j with an output schema is %s', async (content, type) => {
    const server = await model(text(content), text(content));
    expect(await ask(configOf(server), { output: { type: 'object' } })).toMatchObject({ type });
    expect(await ask(configOf(server))).toMatchObject({ type: 'text' });
  });

  test('a server that does not stream may answer in one piece', async () => {
    const whole = {
      model: 'm',
      choices: [{ message: { content: 'all at once' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1, completion_tokens: 2 },
    };
    const server = await model({ raw: [JSON.stringify(whole)], contentType: 'application/json; charset=utf-8' });
    expect(await ask(configOf(server))).toMatchObject({
      parts: [{ type: 'text', text: 'all at once' }],
      usage: { prompt: 1, completion: 2 },
    });
  });

  test('a stream whose content type is wrong is read all the same', async () => {
    const server = await model({ raw: [delta({ content: 'ok' }), end()], contentType: 'text/plain' });
    expect((await ask(configOf(server))).parts).toEqual([{ type: 'text', text: 'ok' }]);
  });

  test('an end that the server forgets is not waited for', async () => {
    const server = await model({ raw: [delta({ content: 'done' }), end()], hold: true });
    expect(await ask(configOf(server))).toMatchObject({ parts: [{ text: 'done' }] });
    await server.requests[0]?.socketClosed;
  });

  test('what breaks after the finish_reason does not make the answer be paid for again', async () => {
    const server = await model({ raw: [delta({ content: 'done' }), end(), 'data: {"half\n\n'] });
    expect(await ask(configOf(server))).toMatchObject({ parts: [{ text: 'done' }] });
  });
});

describe('usage', () => {
  const usage = (fields: JsonObject) => ({ choices: [], usage: fields });

  test.each<[JsonObject, object]>([
    [
      {
        prompt_tokens: 100,
        completion_tokens: 20,
        prompt_tokens_details: { cached_tokens: 60 },
        completion_tokens_details: { reasoning_tokens: 5 },
      },
      { prompt: 100, completion: 20, cached: 60, reasoning: 5 },
    ],
    [
      { prompt_tokens: 100, completion_tokens: 20, prompt_cache_hit_tokens: 60 },
      { prompt: 100, completion: 20, cached: 60 },
    ],
    [
      { prompt_tokens: 1, completion_tokens: 0, prompt_tokens_details: null },
      { prompt: 1, completion: 0 },
    ],
  ])('%j', async (sent, expected) => {
    const server = await model({ raw: [delta({ content: 'x' }), end(), usage(sent)] });
    expect((await ask(configOf(server))).usage).toEqual(expected);
  });

  test.each<[string, JsonObject[]]>([
    ['missing', []],
    ['zero', [usage({ prompt_tokens: 0, completion_tokens: 0 })]],
  ])('%s is estimated from the characters, without those of media', async (_, more) => {
    const server = await model({ raw: [delta({ content: 'x'.repeat(400) }), end(), ...more] });
    const media = { type: 'media', mediaType: 'image/png', data: 'A'.repeat(100_000) } as const;
    const answer = await ask(configOf(server), { messages: [{ role: 'user', parts: [media], turn: 0 }] });
    expect(answer.usage.completion).toBe(100);
    expect(answer.usage.prompt).toBeGreaterThan(0);
    expect(answer.usage.prompt).toBeLessThan(100);
    expect(answer.executionUnits).toBe(answer.usage.prompt + answer.usage.completion);
  });

  test('prices make money of it, cached tokens at theirs', async () => {
    const sent = usage({
      prompt_tokens: 1000,
      completion_tokens: 100,
      prompt_tokens_details: { cached_tokens: 400 },
    });
    const raw = [delta({ content: 'x' }), end(), sent];
    const server = await model({ raw }, { raw });
    const prices = { prompt: 2, completion: 10 };
    expect((await ask(configOf(server, { prices }))).executionUnits).toBeCloseTo(0.003, 9);
    const cheap = { ...prices, cached: 0.5 };
    expect((await ask(configOf(server, { prices: cheap }))).executionUnits).toBeCloseTo(0.0024, 9);
  });
});

describe('what a model gets wrong', () => {
  const requestsOf = async (step: ScriptStep) =>
    (await ask(configOf(await model(step)), { tools: [lookup] })).toolRequests;

  test('broken JSON is repaired', async () => {
    expect(await requestsOf(call('look_up', "{'q': 'x',"))).toEqual([
      { providerId: 'call_1_1', name: 'look_up', input: { q: 'x' } },
    ]);
  });

  test('what cannot be repaired is a problem that shows the text', async () => {
    expect((await requestsOf(call('look_up', 'cats please')))[0]).toMatchObject({
      input: {},
      problem: { type: 'InvalidJson', message: expect.stringContaining('cats please') },
    });
  });

  test('arguments against the schema are a problem that names the path, and are kept', async () => {
    expect((await requestsOf(call('look_up', { q: 5 })))[0]).toMatchObject({
      input: { q: 5 },
      problem: { type: 'InvalidArguments', message: 'q: must be string' },
    });
    expect((await requestsOf(call('look_up', '')))[0]).toMatchObject({
      input: {},
      problem: { type: 'InvalidArguments', message: 'q: is required' },
    });
  });

  test('an unknown tool is left to the run', async () => {
    expect(await requestsOf(call('constructor', { any: 1 }, { id: 'a' }))).toEqual([
      { providerId: 'a', name: 'constructor', input: { any: 1 } },
    ]);
  });

  test('calls of an answer that was cut are all problems', async () => {
    const step = { ...calls(['look_up', { q: 'x' }], ['look_up', '{"q": "y']), finishReason: 'length' };
    const answer = await ask(configOf(await model(step)), { tools: [lookup] });
    expect(answer.finishReason).toBe('length');
    expect(answer.toolRequests.map((request) => request.problem?.type)).toEqual(['AnswerCut', 'AnswerCut']);
  });

  test('a text that was cut is an answer that says so', async () => {
    const server = await model(text('Once upon', { finishReason: 'length' }));
    expect(await ask(configOf(server))).toMatchObject({ type: 'text', finishReason: 'length' });
  });

  test('repeated ids of the provider are kept', async () => {
    const requests = await requestsOf(
      calls(['look_up', { q: 'x' }, { id: 'same' }], ['look_up', { q: 'y' }, { id: 'same' }]),
    );
    expect(requests.map(({ providerId, input }) => [providerId, input.q])).toEqual([
      ['same', 'x'],
      ['same', 'y'],
    ]);
  });

  test('an answer past the greatest size is cut there and its socket closed', async () => {
    const server = await model(
      fault({ kind: 'stall', after: 2 * BYTES.answer }, { text: 'x'.repeat(2 * BYTES.answer), chunkSize: 50_000 }),
    );
    const answer = await ask(configOf(server));
    expect(answer.finishReason).toBe('length');
    const [part] = answer.parts;
    expect(part?.text.length).toBeGreaterThan(BYTES.answer - 50_000);
    expect(JSON.stringify(answer).length).toBeLessThan(BYTES.answer + 2000);
    await server.requests[0]?.socketClosed;
  });

  test('arguments past the greatest size are a cut call', async () => {
    const huge = call('look_up', { q: 'x'.repeat(2 * BYTES.answer) }, { chunkSize: 50_000 });
    expect((await requestsOf(huge))[0]).toMatchObject({ problem: { type: 'AnswerCut' } });
  });
});

describe('opaque data of a provider', () => {
  async function echoed(raw: JsonObject[], tools: ToolSpec[] = []): Promise<JsonObject> {
    const server = await model({ raw }, text('ok'));
    const config = configOf(server);
    const { parts, toolRequests, providerData } = await ask(config, { tools });
    const uses = toolRequests.map(({ providerId, input }, i) => ({
      type: 'tool_use' as const,
      toolUseId: `t1.${i + 1}`,
      name: 'look.up',
      input,
      ...(providerId === undefined ? {} : { providerId }),
    }));
    const message = {
      role: 'assistant' as const,
      parts: [...parts, ...uses],
      turn: 1,
      ...(providerData === undefined ? {} : { providerData }),
    };
    // As it comes out of history.
    await ask(config, { tools, call: 2, messages: [JSON.parse(JSON.stringify(message))] });
    return server.requests[1]?.body.messages[0] as unknown as JsonObject;
  }

  test('streamed reasoning details come back whole', async () => {
    const piece = (fields: JsonObject): Json[] => [{ type: 'reasoning.text', index: 0, ...fields }];
    const back = await echoed([
      delta({ reasoning: 'I th', reasoning_details: piece({ text: 'I th' }) }),
      delta({ reasoning: 'ink', reasoning_details: piece({ text: 'ink' }) }),
      delta({ reasoning_details: piece({ signature: 'sig' }) }),
      delta({ content: 'So.' }),
      end(),
    ]);
    expect(back).toEqual({
      role: 'assistant',
      content: 'So.',
      reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'I think', signature: 'sig' }],
    });
  });

  test('reasoning_content comes back with calls', async () => {
    const fn = { name: 'look_up', arguments: '{"q":"x"}' };
    const back = await echoed(
      [
        delta({ reasoning_content: 'I th' }),
        delta({ reasoning_content: 'ink' }),
        delta({ tool_calls: [{ index: 0, id: 'a', function: fn }] }),
        end('tool_calls'),
      ],
      [lookup],
    );
    expect(back).toMatchObject({ reasoning_content: 'I think', content: null, tool_calls: [{ id: 'a' }] });
  });

  test('unknown fields of message and calls come back where they were', async () => {
    const fn = (q: string) => ({ name: 'look_up', arguments: JSON.stringify({ q }) });
    const back = await echoed(
      [
        delta({ extra_content: { a: 1 }, empty: [], nothing: null }),
        delta({ tool_calls: [{ index: 0, id: '', function: fn('x'), extra_content: { google: 'sig' } }] }),
        delta({ tool_calls: [{ index: 1, id: '', function: fn('y') }] }),
        end('tool_calls'),
      ],
      [lookup],
    );
    expect(back).toMatchObject({
      extra_content: { a: 1 },
      tool_calls: [{ id: 't1.1', extra_content: { google: 'sig' } }, { id: 't1.2' }],
    });
    expect(back).not.toHaveProperty('empty');
    expect((back.tool_calls as Json[])[1]).not.toHaveProperty('extra_content');
  });
});

describe('failures', () => {
  test.each<[string, ScriptStep, string, boolean]>([
    ['503', fault({ kind: 'status', status: 503 }), 'ModelUnavailable', false],
    ['429', fault({ kind: 'status', status: 429 }), 'ModelRateLimited', false],
    ['no quota', fault({ kind: 'status', status: 429, code: 'insufficient_quota' }), 'ModelQuotaExceeded', true],
    ['400', fault({ kind: 'status', status: 400 }), 'ModelRequestInvalid', true],
    ['401', fault({ kind: 'status', status: 401 }), 'ModelUnauthorized', true],
    ['404', fault({ kind: 'status', status: 404 }), 'ModelNotFound', true],
    ['context', fault({ kind: 'status', status: 400, code: 'context_length_exceeded' }), 'ModelContextTooLong', true],
    ['a page', fault({ kind: 'html' }), 'ModelAnswerUnreadable', true],
    ['plain text', { raw: ['Welcome'], contentType: 'text/plain' }, 'ModelAnswerUnreadable', true],
    ['other JSON', { raw: ['{"ok":true}'], contentType: 'application/json' }, 'ModelAnswerUnreadable', true],
    ['broken JSON', { raw: ['{"ok'], contentType: 'application/json' }, 'ModelAnswerUnreadable', true],
    [
      'a JSON error with status 200',
      { raw: ['{"error":{"message":"x","code":"insufficient_quota"}}'], contentType: 'application/json' },
      'ModelQuotaExceeded',
      true,
    ],
    ['an error inside the stream', { raw: [{ error: { message: 'busy', code: 429 } }] }, 'ModelRateLimited', false],
    ['a cut stream', fault({ kind: 'cut', after: 4 }, { text: 'hello world' }), 'ModelUnavailable', false],
    ['an unfinished stream', fault({ kind: 'unfinished', after: 4 }, { text: 'hello' }), 'ModelUnavailable', false],
    ['half a chunk', fault({ kind: 'half-chunk' }), 'ModelUnavailable', false],
    ['no choices', fault({ kind: 'no-choices' }), 'ModelUnavailable', false],
    ['an empty stream', { raw: [] }, 'ModelUnavailable', false],
    ['finish_reason error', { raw: [delta({ content: 'x' }), end('error')] }, 'ModelUnavailable', false],
    ['content filter', text('I', { finishReason: 'content_filter' }), 'Refused', true],
    ['a refusal', { raw: [delta({ refusal: 'I will not' }), end()] }, 'Refused', true],
  ])('%s', async (_, step, type, nonRetryable) => {
    const failure = await failureOf(ask(configOf(await model(step))));
    expect(failure).toMatchObject({ type, nonRetryable });
    expect(failure.message).not.toContain('undefined');
  });

  test.each<[string, string, string]>([
    ['vLLM', '{"object":"error","message":"maximum context length is 10","code":400}', 'ModelContextTooLong'],
    ['FastAPI', '{"detail":"prompt is too long"}', 'ModelContextTooLong'],
    ['Gemini', '[{"error":{"code":400,"message":"The input token count (9) exceeds"}}]', 'ModelContextTooLong'],
    ['a text', 'prompt is too long', 'ModelContextTooLong'],
    ['Ollama', '{"error":"invalid message"}', 'ModelRequestInvalid'],
  ])('the error shape of %s is understood', async (_, body, type) => {
    const server = await model({ raw: [body], status: 400, contentType: 'application/json' });
    expect(await failureOf(ask(configOf(server)))).toMatchObject({ type });
  });

  test('no server at all', async () => {
    const server = await model();
    const config = configOf(server);
    await server.close();
    const failure = await failureOf(ask(config));
    expect(failure).toMatchObject({ type: 'ModelUnavailable', nonRetryable: false });
    expect(failure.message).toContain('ECONNREFUSED');
    expect(failure.details?.[1]).toMatchObject({ usage: { prompt: 0, completion: 0 }, executionUnits: 0 });
  });

  test('what had arrived is kept in the details', async () => {
    const server = await model(fault({ kind: 'cut', after: 5 }, { text: 'hello world', chunkSize: 5 }));
    const remains = (await failureOf(ask(configOf(server)))).details?.[1] as ModelCallStopped['remains'];
    expect(remains.parts).toEqual([{ type: 'text', text: 'hello' }]);
    expect(remains.usage.completion).toBe(2);
    expect(remains.executionUnits).toBe(remains.usage.prompt + remains.usage.completion);
  });

  test('Retry-After reaches Temporal', async () => {
    const server = await model(fault({ kind: 'status', status: 429, headers: { 'retry-after': '7' } }));
    expect(await failureOf(ask(configOf(server)))).toMatchObject({ nextRetryDelay: 7000 });
    expect(server.requests).toHaveLength(1);
  });

  test('a refusal of the text names what the model said', async () => {
    const server = await model({ raw: [delta({ refusal: 'I will ' }), delta({ refusal: 'not' }), end()] });
    expect((await failureOf(ask(configOf(server)))).message).toContain('The model `m` refused to answer (I will not).');
  });
});

describe('silence', () => {
  test.each([
    ['after the beginning', fault({ kind: 'stall', after: 2 }, { text: 'hello' }), [{ type: 'text', text: 'he' }]],
    ['before the first chunk', fault({ kind: 'stall', after: 0 }), []],
    ['before the headers', text('late', { delay: 3_600_000 }), []],
  ])('%s ends the call and closes the socket', async (_, step, parts) => {
    const server = await model(step);
    const failure = await failureOf(ask(configOf(server, { idleTimeout: 50 })));
    expect(failure).toMatchObject({ type: 'ModelUnavailable', nonRetryable: false });
    expect(failure.message).toContain('nothing arrived for 50 ms');
    expect(failure.details?.[1]).toMatchObject({ parts });
    await server.requests[0]?.socketClosed;
  });

  test('a slow stream is not silent', async () => {
    const server = await model(text('abcdefgh', { chunkSize: 1, chunkDelay: 60 }));
    expect((await ask(configOf(server, { idleTimeout: 400 }))).parts).toEqual([{ type: 'text', text: 'abcdefgh' }]);
  });
});

describe('an abort', () => {
  test('closes the socket and gives what had arrived', async () => {
    const server = await model(fault({ kind: 'stall', after: 5 }, { text: 'hello world', chunkSize: 5 }));
    const stop = new AbortController();
    const call = ask(configOf(server), { signal: stop.signal, onDelta: () => stop.abort() });
    const error = await call.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ModelCallStopped);
    expect((error as ModelCallStopped).remains).toMatchObject({
      parts: [{ type: 'text', text: 'hello' }],
      usage: { completion: 2 },
    });
    await server.requests[0]?.socketClosed;
  });

  test('closes the socket before the headers too', async () => {
    const server = await model(text('late', { delay: 3_600_000 }));
    const stop = new AbortController();
    const call = ask(configOf(server), { signal: stop.signal });
    const request = await server.request(1);
    stop.abort();
    await expect(call).rejects.toThrow(ModelCallStopped);
    await request.socketClosed;
  });

  test('that came before the call sends nothing', async () => {
    const server = await model(text('x'));
    await expect(ask(configOf(server), { signal: AbortSignal.abort() })).rejects.toThrow(ModelCallStopped);
    expect(server.requests).toHaveLength(0);
  });
});

describe('keys', () => {
  const authorization = (server: ScriptedModel) => server.requests.map((request) => request.headers.authorization);

  test('the configured key is sent, and headers on top', async () => {
    const server = await model(text('x'), text('x'));
    await ask(configOf(server, { apiKey: 'k1', headers: { 'x-team': 'blue' } }));
    await ask(configOf(server, { apiKey: 'k1', headers: { authorization: 'Basic abc' } }));
    expect(authorization(server)).toEqual(['Bearer k1', 'Basic abc']);
    expect(server.requests[0]?.headers['x-team']).toBe('blue');
  });

  test("OpenAI's key and organization of the environment are never sent to another server", async () => {
    const before = { ...process.env };
    Object.assign(process.env, { OPENAI_API_KEY: 'env-key', OPENAI_ADMIN_KEY: 'env-admin', OPENAI_ORG_ID: 'env-org' });
    try {
      const server = await model(text('x'));
      await ask(configOf(server));
      expect(authorization(server)).toEqual([undefined]);
      expect(JSON.stringify(server.requests[0]?.headers)).not.toContain('env-');
    } finally {
      for (const name of ['OPENAI_API_KEY', 'OPENAI_ADMIN_KEY', 'OPENAI_ORG_ID']) {
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
      }
    }
  });
});
