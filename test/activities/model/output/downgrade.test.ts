import { firstTerms } from '../../../../activities/model/output/terms';
import type { DeltaBody } from '../../../../agent/protocol/stream';
import { fault, type ScriptedModel, text } from '../../../kit/scripted-model';
import { ask, configOf, failureOf, model } from '../asking';
import { lookup } from '../lookup';

const schema = { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object', required: ['a'] };
const described = 'answer only with json that fits';
const refuse = (message: string, status = 400, code?: string) =>
  fault({ kind: 'status', status, message, ...(code === undefined ? {} : { code }) });
const REFUSED = refuse("'response_format.type' must be 'text'");
const OK = text('{"a":1}');

const formats = (server: ScriptedModel) => server.requests.map(({ body }) => body.response_format?.type);
const systems = (server: ScriptedModel) =>
  server.requests.map(({ body }) => body.messages.find(({ role }) => role === 'system')?.content);

describe('a server that refuses the output format', () => {
  test.each([
    ['vLLM', 400, 'The provided JSON schema contains features not supported by xgrammar.'],
    ['vLLM, of a field', 422, '[{"loc":["body","response_format","type"],"msg":"Input should be \'text\'"}]'],
    ['llama-server', 400, 'JSON schema conversion failed:\nUnrecognized schema: {"not":{}}'],
    ['llama-server, of the grammar', 400, 'Failed to initialize samplers: failed to parse grammar'],
    ['llama-server, old', 500, 'response_format type must be one of "text" or "json_object", but got: json_schema'],
    ['Ollama', 500, 'invalid JSON schema in format'],
    ['Ollama, of another form', 400, 'invalid format: expected "json" or a JSON schema'],
    ['LM Studio', 400, "'response_format.type' must be 'json_schema' or 'text'"],
    ['DeepSeek', 400, 'This response_format type is unavailable now'],
    ['DeepSeek, of a field', 422, 'Failed to deserialize the JSON body into the target type: response_format: unknown'],
    ['Groq', 400, 'This model does not support response format `json_schema`.'],
    ['Groq, of an answer', 400, "Failed to validate JSON. Please adjust your prompt. See 'failed_generation'."],
    ['OpenAI', 400, "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model."],
    ['OpenAI, of a root', 400, 'Invalid schema for response_format \'output\': schema must be of type "object".'],
    ['OpenAI Responses', 400, "Unsupported parameter: 'text.format' is not supported with this model."],
    [
      'Azure',
      400,
      'response_format value as json_schema is enabled only for api versions 2024-08-01-preview and later',
    ],
    ['Gemini', 400, "Function calling with a response mime type: 'application/json' is unsupported"],
    ['Gemini, of a field', 400, 'Unknown name "not" at \'generation_config.response_schema\': Cannot find field.'],
    ['Anthropic', 400, 'output_config.format: Extra inputs are not permitted'],
    ['Anthropic, of a model', 400, 'This model does not support output format.'],
    ['DeepInfra', 405, 'json_object response format is not supported for model: m'],
    ['LiteLLM', 400, "m does not support parameters: ['response_format']"],
    ['OpenRouter', 404, 'No endpoints found that can handle the requested parameters.'],
    ['a gateway', 400, 'Structured outputs are not available.'],
  ])('is asked in another way at once: %s', async (_server, status, message) => {
    const server = await model(refuse(message, status), OK);
    const answer = await ask(configOf(server), { output: schema });
    expect(answer).toMatchObject({
      type: 'json',
      parts: [{ type: 'text', text: '{"a":1}' }],
      downgraded: { from: 'schema', to: 'json_object', why: expect.stringContaining(message.slice(0, 20)) },
    });
    expect(formats(server)).toEqual(['json_schema', 'json_object']);
  });

  test('may name the field beside the message', async () => {
    const body = { error: { message: 'Invalid value', type: 'invalid_request_error', param: 'response_format.type' } };
    const server = await model({ raw: [JSON.stringify(body)], status: 400, contentType: 'application/json' }, OK);
    expect((await ask(configOf(server), { output: schema })).downgraded?.to).toBe('json_object');
  });

  test('may refuse JSON as well: then only the prompt asks for it', async () => {
    const server = await model(REFUSED, REFUSED, OK);
    const answer = await ask(configOf(server), { output: schema, system: 'Be brief.' });
    expect(answer.downgraded).toEqual({
      from: 'schema',
      to: 'prompt',
      why: "400 'response_format.type' must be 'text'",
    });
    expect(formats(server)).toEqual(['json_schema', 'json_object', undefined]);
    const [first, second, third] = systems(server);
    expect(first).toBe('Be brief.');
    expect(second).toContain('Be brief.\n\nAnswer only with JSON');
    expect(second).toContain('{"type":"object","required":["a"]}');
    expect(third).toBe(second);
  });

  test('may refuse in the stream', async () => {
    const error = { error: { code: 400, message: 'response_format is not supported' } };
    const server = await model({ raw: [`data: ${JSON.stringify(error)}\n\n`] }, OK);
    expect((await ask(configOf(server), { output: schema })).downgraded?.to).toBe('json_object');
  });

  test('is not asked for an object if the schema wants something else', async () => {
    const server = await model(REFUSED, text('[1]'));
    const answer = await ask(configOf(server), { output: { type: 'array' } });
    expect(answer).toMatchObject({ type: 'json', downgraded: { from: 'schema', to: 'prompt' } });
    expect(formats(server)).toEqual(['json_schema', undefined]);
  });

  test('gets as many attempts as there are ways, and the last refusal is the error', async () => {
    const server = await model(REFUSED, REFUSED, refuse('json_schema: no'));
    const onDowngrade = jest.fn();
    const failure = await failureOf(ask(configOf(server), { output: schema, onDowngrade }));
    expect(failure).toMatchObject({ type: 'ModelRequestInvalid', nonRetryable: true });
    expect(failure.message).toContain('json_schema: no');
    expect(onDowngrade.mock.lastCall).toEqual([undefined]);
    expect(server.requests).toHaveLength(3);
  });

  test('and then fails otherwise: the caller knows how it has to be asked', async () => {
    const server = await model(REFUSED, refuse('busy', 503));
    const onDowngrade = jest.fn();
    const failure = await failureOf(ask(configOf(server), { output: schema, onDowngrade }));
    expect(failure.type).toBe('ModelUnavailable');
    expect(onDowngrade.mock.lastCall).toMatchObject([{ from: 'schema', to: 'json_object' }]);
  });

  test('may repeat a key: it is not kept', async () => {
    const server = await model(refuse('response_format is not for key sk-secret-1234567890'), OK);
    const answer = await ask(configOf(server, { apiKey: 'sk-secret-1234567890' }), { output: schema });
    expect(answer.downgraded?.why).toContain('response_format is not for key');
    expect(answer.downgraded?.why).not.toContain('secret');
  });

  test.each([
    ['another field', refuse("Unknown parameter: 'top_k'")],
    ['the length', refuse('maximum context length is 100 tokens with response_format', 400)],
    ['the key', refuse('response_format needs another key', 401)],
    ['the rate', refuse('json_schema: too many requests', 429)],
    ['an outage', refuse('response_format service is down', 503)],
  ])('is not meant by an error about %s', async (_what, error) => {
    const server = await model(error, OK);
    await failureOf(ask(configOf(server), { output: schema }));
    expect(server.requests).toHaveLength(1);
  });

  test('is not meant where no output was asked for', async () => {
    const server = await model(REFUSED, OK);
    await failureOf(ask(configOf(server)));
    expect(server.requests).toHaveLength(1);
  });
});

describe('how a model is asked for JSON', () => {
  test.each([
    ['schema', 'json_schema', false],
    ['json_object', 'json_object', true],
    ['prompt', undefined, true],
  ] as const)('with `structuredOutput: %s`', async (structuredOutput, type, isDescribed) => {
    const server = await model(OK);
    const config = configOf(server, { structuredOutput });
    expect(await ask(config, { output: schema })).not.toHaveProperty('downgraded');
    expect(formats(server)).toEqual([type]);
    expect(String(systems(server)[0]).toLowerCase().includes(described)).toBe(isDescribed);
  });

  test('begins with what an earlier call of the run found, if that is less', async () => {
    const server = await model(OK, OK, OK);
    await ask(configOf(server), { output: schema, structuredOutput: 'json_object' });
    await ask(configOf(server), { output: schema, structuredOutput: 'prompt' });
    await ask(configOf(server, { structuredOutput: 'prompt' }), { output: schema, structuredOutput: 'json_object' });
    expect(formats(server)).toEqual(['json_object', undefined, undefined]);
  });

  test('with tools, says that they may be called first', async () => {
    const server = await model(OK);
    await ask(configOf(server, { structuredOutput: 'prompt' }), { output: schema, tools: [lookup] });
    expect(systems(server)[0]).toMatch(/^Call tools as you need them\. When you are done, answer only with JSON/);
  });

  test('for a text: only what limits it is described', async () => {
    const server = await model(text('{"a":1}'), text('a'));
    const config = configOf(server, { structuredOutput: 'json_object' });
    expect(await ask(config, { output: { type: 'string', description: 'A reply' } })).toMatchObject({ type: 'text' });
    await ask(config, { output: { type: 'string', maxLength: 80 } });
    expect(formats(server)).toEqual([undefined, undefined]);
    expect(systems(server)[0]).toBeUndefined();
    expect(systems(server)[1]).toContain('Answer only with a text that fits');
  });

  test('an adapter may have a default of its own, and the configuration overrides it', async () => {
    const outputs: unknown[] = [];
    const adapter = {
      kind: 'test',
      provider: 'test',
      structuredOutput: 'prompt' as const,
      async *stream({ output }: { output?: unknown }) {
        outputs.push(output);
        yield [
          [
            { type: 'text' as const, text: '{"a":1}' },
            { type: 'finish' as const, reason: 'stop' as const },
          ],
        ];
      },
    };
    await ask({ model: 'm', adapter } as never, { output: schema });
    await ask({ model: 'm', adapter, structuredOutput: 'json_object' } as never, { output: schema });
    expect(outputs).toEqual([undefined, { type: 'json_object' }]);
  });
});

describe('the dialect of a schema', () => {
  test.each([
    ['https://generativelanguage.googleapis.com/v1beta/openai/', false],
    ['https://us-central1-aiplatform.googleapis.com/v1/projects/p/locations/l/endpoints/openapi', false],
    ['https://gateway.example/generativelanguage.googleapis.com/v1', true],
    ['https://api.openai.com/v1', true],
  ])('of %s is named: %s', (baseUrl, namesDialect) => {
    expect(firstTerms({ baseUrl, model: 'm' }, schema)).toEqual({
      structuredOutput: 'schema',
      namesDialect,
      callsOfOthers: true,
    });
  });

  const sentSchemas = (server: ScriptedModel) =>
    server.requests.map(({ body }) => [body.response_format?.json_schema, body.tools?.[0]?.function.parameters]);
  const named = expect.objectContaining({ $schema: schema.$schema });
  const tool = { ...lookup, inputSchema: { ...lookup.inputSchema, $schema: schema.$schema } };

  test('is named, except to a server that refuses it: that server is asked again at once, and later without it', async () => {
    const gemini = 'Unknown name "$schema" at \'generation_config.response_schema\': Cannot find field.';
    const server = await model(refuse(gemini), OK, OK);
    const config = configOf(server);
    const answer = await ask(config, { output: schema, tools: [tool] });
    expect(answer).not.toHaveProperty('downgraded');
    await ask(config, { output: schema, tools: [tool] });
    const [first, second, third] = sentSchemas(server);
    expect(first).toEqual([expect.objectContaining({ schema: named }), named]);
    expect(second).toEqual([
      expect.objectContaining({ schema: { type: 'object', required: ['a'] } }),
      lookup.inputSchema,
    ]);
    expect(third).toEqual(second);
  });
});

test('reasoning in tags streams as reasoning, and the answer is JSON', async () => {
  const server = await model(text('<think>Is it 1?</think>\n```json\n{"a":1}\n```', { chunkSize: 3 }));
  const deltas: DeltaBody[] = [];
  const answer = await ask(configOf(server), { output: schema, onDelta: (delta) => deltas.push(delta) });
  expect(answer).toMatchObject({
    type: 'json',
    parts: [
      { type: 'reasoning', text: 'Is it 1?' },
      { type: 'text', text: '```json\n{"a":1}\n```' },
    ],
  });
  const of = (type: string) =>
    deltas.map((delta) => (delta.type === type && 'text' in delta ? delta.text : '')).join('');
  expect(of('stream.reasoning')).toBe('Is it 1?');
  expect(of('stream.text')).toBe('```json\n{"a":1}\n```');
});
