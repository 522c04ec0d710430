import type { ModelCallStopped } from '../../../../activities/model/answer/stream-answer';
import type { JsonObject } from '../../../../agent/values/json';
import { fault, type ScriptStep, text } from '../../../kit/scripted-model';
import { ask, configOf, delta, end, failureOf, model } from '../asking';

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
    ['an empty body', { raw: [''], contentType: 'application/json' }, 'ModelUnavailable', false],
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

  test.each<[string, JsonObject, string]>([
    [
      'OpenRouter, around that of a provider',
      { error: { message: 'Provider returned error', metadata: { raw: '{"error":{"message":"no tools here"}}' } } },
      'Provider returned error: no tools here',
    ],
    [
      'OpenRouter, around words',
      { error: { message: 'Provider returned error', metadata: { raw: 'no tools here' } } },
      'Provider returned error: no tools here',
    ],
    [
      'Groq, with what the model wrote',
      { error: { message: 'Failed to validate', failed_generation: '<function=look>' } },
      'Failed to validate: <function=look>',
    ],
    [
      'Mistral',
      { object: 'error', message: { detail: [{ loc: ['body', 'seed'], msg: 'Extra inputs' }] } },
      '"Extra inputs"',
    ],
    ['Cloudflare', { success: false, errors: [{ code: 10000, message: 'Wrong account' }] }, 'Wrong account'],
    ['AWS', { Message: 'User is not authorized to perform' }, 'not authorized to perform'],
    ['Apigee', { fault: { faultstring: 'Invalid ApiKey' } }, 'Invalid ApiKey'],
    ['Baidu', { error_code: 336003, error_msg: 'the max length of messages' }, 'the max length of messages'],
    ['a gateway', { code: 400, msg: 'model is offline' }, 'model is offline'],
  ])('the words in an error of %s are shown', async (_, body, words) => {
    const server = await model({ raw: [JSON.stringify(body)], status: 422, contentType: 'application/json' });
    const failure = await failureOf(ask(configOf(server)));
    expect(failure.message).toContain(words);
    expect(failure.type).toBe('ModelRequestInvalid');
  });

  test.each<[string, JsonObject, string]>([
    [
      'a transcript that is too long for the provider behind OpenRouter',
      { message: 'Provider returned error', metadata: { raw: '{"error":{"message":"prompt is too long"}}' } },
      'ModelContextTooLong',
    ],
    ['an input that OpenRouter has flagged', { message: 'flagged', metadata: { flagged_input: 'x' } }, 'Refused'],
    [
      "a key that is wrong by Google's reason",
      { message: 'no', details: [{ reason: 'API_KEY_INVALID' }] },
      'ModelUnauthorized',
    ],
  ])('%s', async (_, error, type) => {
    const whole = { raw: [JSON.stringify({ error })], status: 400, contentType: 'application/json' };
    expect(await failureOf(ask(configOf(await model(whole))))).toMatchObject({ type });
    expect(await failureOf(ask(configOf(await model({ raw: [{ error }] }))))).toMatchObject({ type });
  });

  test('an error in an error that is nested too deeply is shown as its text', async () => {
    const raw = `{"error":{"message":${'['.repeat(5000)}1${']'.repeat(5000)}}}`;
    const error = { message: 'Provider returned error', metadata: { raw } };
    for (const step of [{ raw: [{ error }] }, { raw: [JSON.stringify({ error })], status: 400 }]) {
      const failure = await failureOf(ask(configOf(await model(step))));
      expect(failure.message).toContain('Provider returned error: {"error":{"message":[[[[');
    }
  });

  test('an error that is a text is shown as it is', async () => {
    const server = await model({
      raw: ['{"error":"no such model"}'],
      status: 404,
      contentType: 'application/json',
    });
    expect((await failureOf(ask(configOf(server)))).message).toContain('(404 no such model)');
  });

  test.each([
    '{"error":{"message":"no","code":{"toString":1,"valueOf":1},"type":["x"]}}',
    '{"error":{"message":{"toString":1}}}',
    '{"error":[{"toString":1}]}',
    '{"detail":{"toString":1}}',
    '[{"toString":1}]',
    '"no"',
    'null',
  ])('an error of another form counts by its status: %s', async (body) => {
    const server = await model({ raw: [body], status: 401, contentType: 'application/json' });
    expect(await failureOf(ask(configOf(server)))).toMatchObject({ type: 'ModelUnauthorized', nonRetryable: true });
  });

  test.each(['{"toString":1}', '[{"toString":1}]', '{"code":{"toString":1}}', '7', 'true'])(
    'an error of another form inside the stream is an error: %s',
    async (error) => {
      const failure = await failureOf(ask(configOf(await model({ raw: [`data: {"error":${error}}\n\n`] }))));
      expect(failure).toMatchObject({ type: 'ModelUnavailable', nonRetryable: false });
      expect(failure.message).not.toMatch(/convert|not a function/);
    },
  );

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
    const partial = (await failureOf(ask(configOf(server)))).details?.[1] as ModelCallStopped['partial'];
    expect(partial.parts).toEqual([{ type: 'text', text: 'hello' }]);
    expect(partial.usage.completion).toBe(2);
    expect(partial.executionUnits).toBe(partial.usage.prompt + partial.usage.completion);
  });

  test('a failure names the model as an answer does: as its server does, else as the request', async () => {
    const named = { ...delta({ content: 'hello' }), model: 'm-2025-04' };
    const partial = (await failureOf(ask(configOf(await model({ raw: [named] }))))).details?.[1];
    expect(partial).toMatchObject({ model: 'm-2025-04', usage: { completion: 2 } });
    const refused = await failureOf(ask(configOf(await model(fault({ kind: 'status', status: 503 })))));
    expect(refused.details?.[1]).toMatchObject({ model: 'm', usage: { prompt: 0 } });
  });

  test.each([
    ['an event that is not JSON', 'data: {"choices\n\n'],
    ['an error', 'data: {"error":{"message":"busy"}}\n\n'],
  ])('what arrived in one piece with %s is kept', async (_, broken) => {
    const piece = ['hello', ' world'].map((content) => `data: ${JSON.stringify(delta({ content }))}\n\n`).join('');
    const failure = await failureOf(ask(configOf(await model({ raw: [piece + broken + piece] }))));
    const partial = failure.details?.[1] as ModelCallStopped['partial'];
    expect(partial.parts).toEqual([{ type: 'text', text: 'hello world' }]);
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
