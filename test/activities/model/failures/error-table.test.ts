import { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai';
import { retryAfter } from '../../../../activities/failures/retry-after';
import { serverErrorOf } from '../../../../activities/model/adapters/openai/server-error-of';
import { AnswerFault } from '../../../../activities/model/failures/answer-fault';
import { ERROR_TABLE, rowFor, signsOf } from '../../../../activities/model/failures/error-table';
import { modelFailure } from '../../../../activities/model/failures/model-failure';
import { ModelServerError } from '../../../../activities/model/failures/server-error';
import type { ServerModel } from '../../../../agent/model/config';

const http = (status: number | undefined, error: object = {}, headers: Record<string, string> = {}) =>
  serverErrorOf(new APIError(status, error, undefined, new Headers(headers)));
const config = { baseUrl: 'https://u:p@host.example/v1/?key=q', model: 'm', apiKey: 'secret-key-123' };
const NO_QUOTA = 'ModelQuotaExceeded';
/** The longest timer of Node. */
const LONGEST = 2 ** 31 - 1;
const NOW = Date.parse('2026-01-01T00:00:00Z');

describe('the error table', () => {
  test.each<[string, unknown, string, boolean]>([
    ['no connection', new APIConnectionError({ message: 'x' }), 'ModelUnavailable', true],
    ['a timeout', new APIConnectionTimeoutError(), 'ModelUnavailable', true],
    ['408', http(408), 'ModelUnavailable', true],
    ['409', http(409), 'ModelUnavailable', true],
    ['429', http(429), 'ModelRateLimited', true],
    ['500', http(500), 'ModelUnavailable', true],
    ['503', http(503), 'ModelUnavailable', true],
    ['an error without a status', http(undefined, { message: 'overloaded' }), 'ModelUnavailable', true],
    ['a cut connection', new TypeError('terminated'), 'ModelUnavailable', true],
    ['half a chunk', new SyntaxError('Unexpected end'), 'ModelUnavailable', true],
    ['silence', new AnswerFault('idle', 'x'), 'ModelUnavailable', true],
    ['a stream without an end', new AnswerFault('unfinished', 'x'), 'ModelUnavailable', true],
    ['a rate limit inside a stream', http(undefined, { code: 429 }), 'ModelRateLimited', true],
    ['429 without quota', http(429, { code: 'insufficient_quota' }), 'ModelQuotaExceeded', false],
    ['402', http(402), 'ModelQuotaExceeded', false],
    ['400', http(400), 'ModelRequestInvalid', false],
    ['401', http(401), 'ModelUnauthorized', false],
    ['403', http(403), 'ModelUnauthorized', false],
    ['404', http(404), 'ModelNotFound', false],
    ['413', http(413), 'ModelContextTooLong', false],
    ['422', http(422), 'ModelRequestInvalid', false],
    ['a status inside a stream', http(undefined, { code: '401' }), 'ModelUnauthorized', false],
    ['no model server', new AnswerFault('unreadable', 'x'), 'ModelAnswerUnreadable', false],
    ['too many bytes', new AnswerFault('large', 'x'), 'ModelAnswerTooLarge', false],
    ['too much time', new AnswerFault('slow', 'x'), 'ModelAnswerTooSlow', false],
    ['a refusal', new AnswerFault('refused', 'x'), 'Refused', false],
    ['a filtered prompt', http(400, { code: 'content_filter' }), 'Refused', false],
    ['a long context by code', http(400, { code: 'context_length_exceeded' }), 'ModelContextTooLong', false],
    [
      'a long context inside a stream',
      http(undefined, { code: 'context_length_exceeded' }),
      'ModelContextTooLong',
      false,
    ],
    ['no credit at Anthropic', http(400, { message: 'Your credit balance is too low to access' }), NO_QUOTA, false],
    ["Anthropic's limit", http(400, { message: 'You have reached your specified API usage limits.' }), NO_QUOTA, false],
    ['an account that is not active', http(429, { code: 'billing_not_active' }), NO_QUOTA, false],
    ['an account without quota', http(429, { type: 'exceeded_current_quota_error' }), NO_QUOTA, false],
    ['an account with debts', http(400, { code: 'Arrearage' }), NO_QUOTA, false],
    ['a wrong key at xAI', http(400, { message: 'Incorrect API key provided: xa***yz.' }), 'ModelUnauthorized', false],
    ['a wrong key at Gemini', http(400, { message: 'API key not valid.' }), 'ModelUnauthorized', false],
    ['no such model at OpenRouter', http(400, { message: 'foo/bar is not a valid model ID' }), 'ModelNotFound', false],
    ['no such model at Mistral', http(400, { type: 'invalid_model' }), 'ModelNotFound', false],
    ['a wrong call at Groq', http(400, { code: 'tool_use_failed' }), 'ModelUnavailable', true],
    ['no capacity at Groq', http(498), 'ModelUnavailable', true],
  ])('%s', (_, error, type, retryable) => {
    expect(rowFor(signsOf(error))).toMatchObject({ type, retryable });
  });

  test.each([
    ["This model's maximum context length is 8192 tokens. However, you requested 9000 tokens"],
    ['the request exceeds the available context size. try increasing the context size'],
    ['prompt is too long: 210000 tokens > 200000 maximum'],
    ['The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)'],
    ['Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length'],
    ['input length exceeds maximum context length'],
    ["This model's maximum prompt length is 131072 but the request contains 140000 tokens."],
    ['Input is too long for requested model.'],
    ['Please reduce the length of the messages or completion.'],
    ['Trying to keep the first 5000 tokens when context the overflows... greater than the context length'],
    ['input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000'],
    ["The input (40000 tokens) is longer than the model's context length (32768 tokens)."],
    ['The decoder prompt (length 40000) is longer than the maximum model length of 32768.'],
    ['max_tokens must be at least 1, got -3500.'],
    ['Input validation error: `inputs` must have less than 4096 tokens. Given: 5000'],
    ['Invalid request: Your request exceeded model token limit: 262144 (requested: 270000)'],
    ['<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 129024]'],
    ['Prompt exceeds max length'],
    ['prompt token count of 140533 exceeds the limit of 128000'],
    ['too many tokens: total number of tokens in the prompt cannot exceed 4081'],
  ])('400 "%s" is a context that is too long', (message) => {
    expect(rowFor(signsOf(http(400, { message })))).toMatchObject({ type: 'ModelContextTooLong', retryable: false });
    expect(rowFor(signsOf(http(429, { message })))).toMatchObject({ type: 'ModelRateLimited', retryable: true });
  });

  test('400 about anything else is not', () => {
    for (const message of ['messages must not be empty', 'Invalid schema for function: context is required']) {
      expect(rowFor(signsOf(http(400, { message }))).type).toBe('ModelRequestInvalid');
    }
  });

  test('no row is hidden by the rows before it', () => {
    for (const row of ERROR_TABLE.filter(({ when }) => when.fault === undefined && when.status !== undefined)) {
      const status = typeof row.when.status === 'number' ? row.when.status : (row.when.status?.[0] ?? 0);
      expect(rowFor({ status, code: '', message: '' })).toBe(row);
    }
  });
});

describe('Retry-After', () => {
  test.each<[Record<string, string>, number | undefined]>([
    [{ 'retry-after': '3' }, 3000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after': '9', 'retry-after-ms': '150' }, 150],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:20 GMT' }, 20_000],
    [{ 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' }, undefined],
    // The clock of this machine is an hour ahead, or behind.
    [{ 'retry-after': 'Wed, 31 Dec 2025 23:00:20 GMT', date: 'Wed, 31 Dec 2025 23:00:00 GMT' }, 20_000],
    [{ 'retry-after': 'Thu, 01 Jan 2026 01:00:20 GMT', date: 'Thu, 01 Jan 2026 01:00:00 GMT' }, 20_000],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:20 GMT', date: 'today' }, 20_000],
    [{ 'retry-after': '3', date: 'Thu, 01 Jan 2026 01:00:00 GMT' }, 3000],
    // A year for JavaScript.
    [{ 'retry-after': 'try again in 45' }, undefined],
    [{ 'retry-after': '0' }, undefined],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '-5' }, undefined],
    [{ 'retry-after-ms': '-5' }, undefined],
    [{ 'retry-after': '9'.repeat(400) }, LONGEST],
    [{ 'retry-after-ms': '1e308' }, LONGEST],
    [{ 'retry-after': 'Fri, 31 Dec 9999 00:00:00 GMT' }, LONGEST],
    [{}, undefined],
  ])('%j is %p ms', (headers, expected) => {
    expect(retryAfter(new Headers(headers), NOW)).toBe(expected);
  });
});

describe('modelFailure', () => {
  test('gives type, text and data of our error, and what had arrived', () => {
    const partial = { parts: [], usage: { prompt: 1, completion: 2 }, executionUnits: 3 };
    const failure = modelFailure(http(503, { message: 'busy' }), config, { partial });
    expect(failure).toMatchObject({
      type: 'ModelUnavailable',
      nonRetryable: false,
      message: expect.stringContaining(
        'The model server at https://host.example/v1 gave no usable answer for `m` (503 busy).',
      ),
      details: [{ model: 'm', address: 'https://host.example/v1', problem: '503 busy' }, partial],
    });
    expect(failure.nextRetryDelay).toBeUndefined();
  });

  test('the wait that a server asks for becomes the delay', () => {
    expect(modelFailure(http(429, {}, { 'retry-after': '20' }), config)).toMatchObject({ nextRetryDelay: 20_000 });
    const date = { 'retry-after': 'Thu, 01 Jan 2026 00:00:20 GMT' };
    expect(modelFailure(http(503, {}, date), config, { now: NOW })).toMatchObject({ nextRetryDelay: 20_000 });
  });

  test('a message says how long the server asks to wait', () => {
    const failure = modelFailure(http(429, {}, { 'retry-after': '3600' }), config);
    expect(failure).toMatchObject({ type: 'ModelRateLimited', nonRetryable: false, nextRetryDelay: 3_600_000 });
    expect(failure.message).toContain('; it asks to wait 3600 s');
  });

  test('a wait changes nothing about what is not retried', () => {
    const failure = modelFailure(http(401, {}, { 'retry-after': '5' }), config);
    expect([failure.nonRetryable, failure.nextRetryDelay]).toEqual([true, undefined]);
  });

  test('keys and header values never appear, nor does the cause', () => {
    const secrets = { ...config, headers: { 'api-key': 'header-secret', authorization: 'Bearer token-secret' } };
    const message = 'bad key secret-key-123 header-secret token-secret sk-proj-abcdef***xyz';
    const failure = modelFailure(http(401, { message }), secrets);
    const everything = JSON.stringify([failure.message, failure.details]);
    for (const secret of ['secret-key-123', 'header-secret', 'token-secret', 'abcdef', 'u:p', 'key=q']) {
      expect(everything).not.toContain(secret);
    }
    expect(everything).toContain('bad key');
    expect(failure.cause).toBeUndefined();
  });

  test.each<[string, Partial<ServerModel>, string]>([
    ['no key', {}, 'wants a key for `m` (401 {}), and its alias has none. Set `apiKey`'],
    ['a key', { apiKey: 'k' }, 'refused the key for `m` (401 {})'],
    ['a header', { headers: { 'api-key': 'k' } }, 'refused the key for `m` (401 {})'],
    ['a key in its address', { baseUrl: 'https://u:secret-7@host.example/v1' }, 'refused the key for `m` (401 {})'],
  ])('a server that wants a key is told apart from one that refuses it: %s', (_what, own, said) => {
    const bare = { baseUrl: 'https://host.example/v1', model: 'm' };
    expect(modelFailure(http(401, {}), { ...bare, ...own }).message).toContain(said);
  });

  test.each([
    ['502 <html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body><hr>nginx</body></html>', '(502 Bad Gateway)'],
    ['503 <!DOCTYPE html><title>Down for maintenance</title>', '(503 Down for maintenance)'],
    ['500 <html><style>p { color: red }</style><p>Out of  memory</p></html>', '(500 Out of memory)'],
    ['500 1 < 2 and <b> is bold', '(500 1 < 2 and <b> is bold)'],
    ['404 404 Not Found', '(404 Not Found)'],
    ['429 4290 requests were made', '(429 4290 requests were made)'],
  ])('a page is told by its title, or its words: %s', (message, said) => {
    const error = new ModelServerError(message, { status: Number(message.slice(0, 3)) });
    expect(modelFailure(error, config).message).toContain(said);
  });

  test.each([
    [{ location: 'https://new.example/v1' }, '(308 {}; it leads to https://new.example/v1)'],
    [{}, '(308 {})'],
  ])('a redirect is told as a wrong address, with where it leads: %j', (headers: Record<string, string>, said) => {
    const failure = modelFailure(http(308, {}, headers), config);
    expect(failure).toMatchObject({ type: 'ModelRequestInvalid', nonRetryable: true });
    expect(failure.message).toBe(
      `The model server at https://host.example/v1 redirects the request for \`m\` to another address, to which nothing is sent ${said}. Correct \`baseUrl\` of its alias in temporal.yaml.`,
    );
  });

  test.each([
    [false, 'ModelAnswerUnreadable', true],
    [true, 'ModelUnavailable', false],
  ])('what no model server says; an earlier call was answered: %s', (answeredBefore, type, nonRetryable) => {
    const failure = modelFailure(new AnswerFault('foreign', 'it answers with text/html'), config, { answeredBefore });
    expect(failure).toMatchObject({ type, nonRetryable, message: expect.stringContaining('text/html') });
  });

  test('a long error page is cut', () => {
    expect(modelFailure(http(500, { message: 'x'.repeat(50_000) }), config).message.length).toBeLessThan(700);
  });

  test('the innermost cause of a failed connection is named', () => {
    const cause = new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED 127.0.0.1:1') });
    expect(modelFailure(new APIConnectionError({ cause }), config).message).toContain('ECONNREFUSED');
  });
});
