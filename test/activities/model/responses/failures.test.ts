import { ModelCallStopped } from '../../../../activities/model/answer/stream-answer';
import { ask, failureOf } from '../asking';
import { done, event, message } from './response-items';
import { modelAt, type ResponseStep, responseServer } from './response-server';

describe('a failure of OpenAI Responses', () => {
  it.each<[string, ResponseStep, string, boolean]>([
    [
      'an error in the stream',
      { events: [{ type: 'error', code: 'rate_limit_exceeded', message: 'busy' }] },
      'ModelRateLimited',
      false,
    ],
    [
      'an error of another form in the stream',
      {
        events: [
          { type: 'error', error: { type: 'invalid_request_error', code: 'context_length_exceeded', message: 'x' } },
        ],
      },
      'ModelContextTooLong',
      true,
    ],
    [
      'a failed response',
      { events: [done({ error: { code: 'server_error', message: 'x' } }, 'failed')] },
      'ModelUnavailable',
      false,
    ],
    [
      'a prompt that is refused',
      { events: [done({ error: { code: 'invalid_prompt', message: 'x' } }, 'failed')] },
      'ModelRequestInvalid',
      true,
    ],
    [
      'an image that is refused',
      { events: [done({ error: { code: 'image_parse_error', message: 'x' } }, 'failed')] },
      'ModelRequestInvalid',
      true,
    ],
    ['a failure without an error', { events: [done({}, 'failed')] }, 'ModelUnavailable', false],
    [
      'a failed response that is not streamed',
      { body: { status: 'failed', error: { code: 'insufficient_quota', message: 'x' }, output: [] } },
      'ModelQuotaExceeded',
      true,
    ],
    ['a background response', { body: { status: 'queued', output: [] } }, 'ModelUnavailable', false],
    ['another JSON', { body: { choices: [] } }, 'ModelAnswerUnreadable', true],
    ['an empty stream', { events: [] }, 'ModelUnavailable', false],
    ['a stream without an end', { events: [event('output_text.delta', { delta: 'x' })] }, 'ModelUnavailable', false],
    [
      'a filter',
      { events: [done({ incomplete_details: { reason: 'content_filter' } }, 'incomplete')] },
      'Refused',
      true,
    ],
    ['a refusal', { reply: { refusal: 'I will not' } }, 'Refused', true],
    [
      'a refusal that comes whole',
      { events: [event('output_item.done', { item: message({ type: 'refusal', refusal: 'no' }) }), done()] },
      'Refused',
      true,
    ],
    [
      'a status',
      { body: { error: { message: 'no', type: 'invalid_request_error' } }, status: 404 },
      'ModelNotFound',
      true,
    ],
  ])('%s', async (_, step, type, nonRetryable) => {
    const server = await responseServer(step);
    const failure = await failureOf(ask(modelAt(server)));
    expect(failure).toMatchObject({ type, nonRetryable });
    expect(failure.message).not.toMatch(/undefined|test-key/);
  });

  it('what the server counted is paid for', async () => {
    const error = { code: 'server_error', message: 'x' };
    const server = await responseServer({
      events: [
        event('output_text.delta', { delta: 'x' }),
        done({ error, usage: { input_tokens: 7, output_tokens: 2 } }, 'failed'),
      ],
    });
    const failure = await failureOf(ask(modelAt(server)));
    expect(failure.details?.[1]).toMatchObject({ usage: { prompt: 7, completion: 2 }, executionUnits: 9 });
  });

  it('an abort keeps what had arrived', async () => {
    const server = await responseServer({
      reply: { text: 'hello world', chunkSize: 5, fault: { kind: 'stall', after: 5 } },
    });
    const stop = new AbortController();
    const asked = ask(modelAt(server), { signal: stop.signal, onDelta: () => stop.abort() });
    await expect(asked).rejects.toMatchObject({ partial: { parts: [{ type: 'text', text: 'hello' }] } });
    await expect(asked).rejects.toThrow(ModelCallStopped);
  });
});
