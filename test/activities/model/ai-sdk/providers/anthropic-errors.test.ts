import { createAnthropic } from '@ai-sdk/anthropic';
import { aiSdk, safeFetch } from 'holdfast/worker';
import { ask, failureOf } from '../../asking';
import { events, json, message, raw, said } from '../raw-server';

describe('errors', () => {
  const error = (type: string, words: string) => ({ type: 'error', error: { type, message: words } });

  test.each([
    ['overloaded', json(529, error('overloaded_error', 'Overloaded')), 'ModelUnavailable', false],
    ['overloaded with status 200', events(error('overloaded_error', 'Overloaded')), 'ModelUnavailable', false],
    [
      'overloaded in the stream',
      events(...message([said('Hel')]).slice(0, 3), error('overloaded_error', 'Overloaded')),
      'ModelUnavailable',
      false,
    ],
    [
      'a rate limit in the stream',
      events(...message([said('Hel')]).slice(0, 3), error('rate_limit_error', 'Slow down')),
      'ModelRateLimited',
      false,
    ],
    [
      'a prompt that is too long',
      json(400, error('invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum')),
      'ModelContextTooLong',
      true,
    ],
    [
      'a page',
      (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
      'ModelAnswerUnreadable',
      true,
    ],
    ['JSON instead of a stream', json(200, '{"ok":true}'), 'ModelAnswerUnreadable', true],
    [
      'an unknown event',
      events(...message([said('Hel')]).slice(0, 3), { type: 'message_begin' }),
      'ModelAnswerUnreadable',
      true,
    ],
    ['an unknown event at the beginning', events({ type: 'message_begin' }), 'ModelAnswerUnreadable', true],
    ['half an event', events('data: {"type":"message_st\n\n'), 'ModelUnavailable', false],
    ['an empty stream', events(), 'ModelUnavailable', false],
    ['an error without JSON', json(503, 'upstream connect error'), 'ModelUnavailable', false],
    ['an error without a text', json(401, ''), 'ModelUnauthorized', true],
  ] as const satisfies readonly (readonly [string, Parameters<typeof raw>[0], string, boolean])[])(
    '%s',
    async (_, answer, type, nonRetryable) => {
      const server = await raw(answer as Parameters<typeof raw>[0]);
      const failure = await failureOf(ask(aiSdk(server.claude())));
      expect(failure).toMatchObject({ type, nonRetryable });
      expect(failure.message).not.toMatch(/undefined|\[object/);
      expect(server.bodies).toHaveLength(1);
    },
  );

  test('what to check is the provider, not temporal.yaml', async () => {
    const server = await raw(json(401, ''), json(200, '{"ok":true}'), json(503, ''));
    const model = aiSdk(server.claude());
    const messages: string[] = [];
    for (let i = 0; i < 3; i++) messages.push((await failureOf(ask(model))).message);
    expect(messages).toEqual([
      expect.stringContaining('Check the key that its model is made with.'),
      expect.stringContaining('Check the `baseURL` of its AI SDK provider, and install'),
      expect.stringContaining('gave no usable answer for `claude-sonnet-4-5` (Service Unavailable). Try again later'),
    ]);
  });

  test('the words of a gateway that sends no JSON are shown', async () => {
    const server = await raw(json(503, 'upstream connect error'));
    expect((await failureOf(ask(aiSdk(server.claude())))).message).toContain('upstream connect error');
  });

  test('no server at all', async () => {
    const model = aiSdk((await raw()).claude('claude-sonnet-4-5', { baseURL: 'http://127.0.0.1:1/v1' }));
    const failure = await failureOf(ask(model));
    expect(failure).toMatchObject({ type: 'ModelUnavailable', nonRetryable: false });
    expect(failure.message).toMatch(/ECONNREFUSED|bad port/);
  });

  test('a missing key is named, and not retried', async () => {
    const server = await raw();
    const before = process.env.ANTHROPIC_API_KEY;
    delete process.env.ANTHROPIC_API_KEY;
    const failure = await failureOf(ask(aiSdk(createAnthropic({ baseURL: server.url })('claude-sonnet-4-5'))));
    if (before !== undefined) process.env.ANTHROPIC_API_KEY = before;
    expect(failure).toMatchObject({ type: 'ModelUnauthorized', nonRetryable: true });
    expect(failure.message).toContain('ANTHROPIC_API_KEY');
  });

  test('options that the provider does not know are named', async () => {
    const server = await raw();
    const model = aiSdk(server.claude(), { providerOptions: { anthropic: { thinking: 'much' } } });
    const failure = await failureOf(ask(model));
    expect(failure).toMatchObject({ type: 'ModelRequestInvalid', nonRetryable: true });
    expect(failure.message).toContain('thinking');
  });

  test('a key of the environment, of headers and of a function of headers is in no error', async () => {
    const keys = ['env-secret-11111111', 'hdr-secret-22222222', 'own-secret-33333333'];
    const server = await raw(json(401, error('authentication_error', `bad ${keys.join(' ')}`)));
    process.env.TEST_7_API_KEY = keys[0];
    const model = server.claude('claude-sonnet-4-5', { headers: { 'x-secret': keys[1] ?? '' } });
    const failure = await failureOf(ask(aiSdk(model, { extraHeaders: { 'x-token': keys[2] ?? '' } })));
    delete process.env.TEST_7_API_KEY;
    expect(failure.message).toContain('bad *** *** ***');
    for (const key of keys) expect(JSON.stringify([failure, failure.details, failure.stack])).not.toContain(key);
  });

  // As `wrapLanguageModel` returns it: nothing of the object inside can be seen.
  test('a key of an object that is wrapped is in no error, with `safeFetch`', async () => {
    const key = 'wrapped-44444444';
    const server = await raw(json(401, error('authentication_error', `bad ${key}`)));
    const inner = server.claude('claude-sonnet-4-5', { apiKey: key, fetch: safeFetch() });
    const { specificationVersion, provider, modelId } = inner;
    const wrapped = { specificationVersion, provider, modelId, doStream: (given: never) => inner.doStream(given) };
    const failure = await failureOf(ask(aiSdk(wrapped)));
    expect(failure.message).toContain('bad ***');
    expect(JSON.stringify([failure, failure.details, failure.stack])).not.toContain(key);
  });
});
