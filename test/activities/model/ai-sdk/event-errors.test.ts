import { aiSdk, safeFetch } from 'holdfast/worker';
import { ask, failureOf } from '../asking';
import { hello, object } from './object';
import { json, raw } from './raw-server';

const named = (name: string, message: string, more = {}) => Object.assign(new Error(message), { name, ...more });
/** What a package makes of an event that it does not know. */
const unknown = (value: unknown) => ({ type: 'error', error: named('AI_TypeValidationError', 'Invalid', { value }) });
/** An event, as the provider sent it. */
const sent = (rawValue: unknown) => ({ type: 'raw', rawValue });
const failureOfParts = (...parts: unknown[]) => failureOf(ask(aiSdk(object(parts))));

const rate = { error: { message: 'Slow down', type: 'rate_limit_error', code: 429 } };

describe('an error in the stream that the package does not know is what the server says', () => {
  test.each<[string, unknown, string, boolean]>([
    ['a rate limit', rate, 'ModelRateLimited', false],
    ['a server that fails', { error: { message: 'Slow down', type: 'server_error' } }, 'ModelUnavailable', false],
    ['a key', { error: { message: 'Slow down', code: 'invalid_api_key' } }, 'ModelUnauthorized', true],
    ['a text', { error: 'Slow down' }, 'ModelUnavailable', false],
    ['of Mistral', { object: 'error', message: 'Slow down', code: '3505' }, 'ModelUnavailable', false],
    ['without a wrapper', { message: 'Slow down', code: 'overloaded' }, 'ModelUnavailable', false],
    ['of a nested event', { type: 'error', error: { message: 'Slow down', code: 503 } }, 'ModelUnavailable', false],
  ])('%s', async (_, value, type, nonRetryable) => {
    const failure = await failureOfParts(unknown(value));
    expect(failure).toMatchObject({ type, nonRetryable });
    expect(failure.message).toContain('(Slow down)');
  });

  test('and of any other event the beginning is shown', async () => {
    const failure = await failureOfParts(unknown({ type: 'notice', text: 'maintenance at noon' }));
    expect(failure).toMatchObject({ type: 'ModelAnswerUnreadable', nonRetryable: true });
    expect(failure.message).toContain('{"type":"notice","text":"maintenance at noon"}');
  });
});

describe('an error of which the package passes on a part is what the server says', () => {
  test.each<[string, unknown, unknown, string, string]>([
    ['the message alone', rate, 'Slow down', 'ModelRateLimited', '(Slow down)'],
    [
      'the message without its code',
      { error: { message: 'Too big', code: 'context_length_exceeded' } },
      { message: 'Too big' },
      'ModelContextTooLong',
      'Too big',
    ],
    [
      'the words of a gateway without those of the provider',
      { error: { message: 'Provider returned error', code: 502, metadata: { raw: 'no capacity' } } },
      { message: 'Provider returned error' },
      'ModelUnavailable',
      'no capacity',
    ],
    [
      'an exception of Amazon',
      { throttlingException: { message: 'Too many' } },
      { message: 'Too many' },
      'ModelRateLimited',
      'Too many',
    ],
    [
      'a request that Amazon refuses',
      { validationException: { message: 'No' } },
      { message: 'No' },
      'ModelRequestInvalid',
      'No',
    ],
  ])('%s', async (_, event, error, type, words) => {
    const failure = await failureOfParts(...hello.slice(0, 2), sent(event), { type: 'error', error });
    expect(failure.type).toBe(type);
    expect(failure.message).toContain(words);
  });

  test('nothing but an end', async () => {
    const event = {
      type: 'response.failed',
      response: { error: { code: 'rate_limit_exceeded', message: 'Slow down' } },
    };
    const end = { type: 'finish', finishReason: { unified: 'error' }, usage: {} };
    const failure = await failureOfParts(...hello.slice(0, 2), sent(event), end);
    expect(failure).toMatchObject({ type: 'ModelRateLimited', nonRetryable: false });
    expect(failure.message).toContain('(Slow down)');
  });

  test('an earlier event is not the reason', async () => {
    const end = { type: 'finish', finishReason: { unified: 'error' }, usage: {} };
    const failure = await failureOfParts(sent(rate), sent({ choices: [] }), end);
    expect(failure.message).toContain('the answer ended with `error`');
  });
});

test('a stream without an end is requested again, also if the package calls it unreadable', async () => {
  const error = named('AI_InvalidResponseDataError', 'Response stream ended without a finish reason.', {
    data: undefined,
  });
  const failure = await failureOfParts(...hello.slice(0, 2), { type: 'error', error });
  expect(failure).toMatchObject({ type: 'ModelUnavailable', nonRetryable: false });
  expect(failure.message).toContain('broken off');
});

test('what a package takes for granted in an event and does not find is not a lost connection', async () => {
  const error = new TypeError("Cannot read properties of undefined (reading 'delta')");
  expect(await failureOfParts({ type: 'error', error })).toMatchObject({ type: 'ModelAnswerUnreadable' });
});

test('an event that is not JSON is shown', async () => {
  const error = named('AI_JSONParseError', 'JSON parsing failed', {
    text: 'upstream went away',
    cause: new SyntaxError('x'),
  });
  const failure = await failureOfParts({ type: 'error', error });
  expect(failure).toMatchObject({ type: 'ModelUnavailable', nonRetryable: false });
  expect(failure.message).toContain('not JSON: upstream went away');
});

describe('an answer with an error', () => {
  const answered = (more: object) => {
    const error = named('AI_APICallError', 'Bad Request', { statusCode: 400, ...more });
    return failureOf(ask(aiSdk(object([], { doStream: () => Promise.reject(error) }))));
  };

  test('is explained by its body, whatever the package keeps of it', async () => {
    const data = { error: { message: 'Too big' } };
    const body = (value: object) => JSON.stringify(value);
    const stripped = await answered({
      data,
      responseBody: body({ error: { message: 'Too big', code: 'context_length_exceeded' } }),
    });
    expect(stripped.type).toBe('ModelContextTooLong');
    expect((await answered({ responseBody: body({ detail: 'No such field' }) })).message).toContain('No such field');
  });

  test('is explained by the response that failed, with which a stream began', async () => {
    const error = { code: 'context_length_exceeded', message: 'Too big' };
    const failed = { type: 'response.failed', response: { status: 'failed', error } };
    expect((await answered({ responseBody: JSON.stringify(failed) })).type).toBe('ModelContextTooLong');
  });

  test('is one with status 200, too', async () => {
    const ok = { statusCode: 200, message: 'Invalid JSON response' };
    const failure = await answered({ ...ok, responseBody: JSON.stringify(rate) });
    expect(failure).toMatchObject({ type: 'ModelRateLimited', nonRetryable: false });
    expect(failure.message).toContain('Slow down');
    expect(await answered({ ...ok, responseBody: '{"choices":[]}' })).toMatchObject({ type: 'ModelAnswerUnreadable' });
  });

  test('is found in the error of a gateway that wraps it', async () => {
    const cause = named('AI_APICallError', 'Slow down', {
      statusCode: 429,
      responseHeaders: { 'retry-after': 'Sun, 06 Nov 1994 08:49:44 GMT', date: 'Sun, 06 Nov 1994 08:49:37 GMT' },
      responseBody: JSON.stringify({ error: { message: 'Slow down', type: 'rate_limit_exceeded' } }),
    });
    const wrap = (name: string, statusCode: number, inner: unknown) =>
      object([], { doStream: () => Promise.reject(named(name, 'Gateway failed', { statusCode, cause: inner })) });
    const limited = await failureOf(ask(aiSdk(wrap('GatewayRateLimitError', 429, cause))));
    expect(limited).toMatchObject({ type: 'ModelRateLimited', nextRetryDelay: 7000 });
    const lost = named('AI_APICallError', 'Cannot connect', { cause: new Error('ECONNREFUSED') });
    const unreached = await failureOf(ask(aiSdk(wrap('GatewayResponseError', 500, lost))));
    expect(unreached.message).toContain('did not answer for `one` (ECONNREFUSED)');
  });
});

describe('an answer of JSON in place of a stream', () => {
  const body = { error: { message: 'Slow down', type: 'rate_limit_error' } };

  test('is the error that it holds, with `safeFetch`', async () => {
    const server = await raw(json(200, body), json(200, body), json(200, { choices: [] }));
    const limited = await failureOf(ask(aiSdk(server.claude('claude-sonnet-4-5', { fetch: safeFetch() }))));
    expect(limited).toMatchObject({ type: 'ModelRateLimited', nonRetryable: false });
    expect(limited.message).toContain('(Slow down)');
    const unheard = await failureOf(ask(aiSdk(server.claude())));
    expect(unheard.message).toContain('application/json instead of a stream');
    const whole = await failureOf(ask(aiSdk(server.claude('claude-sonnet-4-5', { fetch: safeFetch() }))));
    expect(whole.message).toContain('application/json instead of a stream');
  });

  // As the package of Ollama, which logs lines that it does not know and leaves them out.
  test.each([0, 1])('and one in a line that the package leaves out is shown, after %d others', async (others) => {
    const line = { message: { content: 'Hel' } };
    const lines = [...Array(others).fill(line), { error: 'model runner crashed' }];
    const server = await raw((response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      response.end(lines.map((each) => `${JSON.stringify(each)}\n`).join(''));
    });
    const doStream = async () => {
      const response = await safeFetch()(server.url, { method: 'POST', body: '{}' });
      await response.text();
      const stream = ReadableStream.from([...hello.slice(0, 2 * others), { type: 'finish', usage: {} }]);
      return { stream, response: { headers: Object.fromEntries(response.headers) } };
    };
    const failure = await failureOf(ask(aiSdk(object([], { doStream }))));
    expect(failure).toMatchObject({ type: 'ModelUnavailable', nonRetryable: false });
    expect(failure.message).toContain('model runner crashed');
  });

  test('is unreadable, also if the package misses the end of a stream', async () => {
    const error = named('AI_InvalidResponseDataError', 'Response stream ended without a finish reason.', {
      data: undefined,
    });
    const stream = ReadableStream.from([
      { type: 'stream-start', warnings: [] },
      { type: 'error', error },
    ]);
    const response = { headers: { 'content-type': 'application/json' } };
    const failure = await failureOf(ask(aiSdk(object([], { doStream: async () => ({ stream, response }) }))));
    expect(failure).toMatchObject({ type: 'ModelAnswerUnreadable', nonRetryable: true });
  });
});
