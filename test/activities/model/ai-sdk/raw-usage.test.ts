import type { ServerResponse } from 'node:http';
import { aiSdk } from 'holdfast/worker';
import type { JsonObject } from '../../../../agent/values/json';
import { ask, failureOf } from '../asking';
import { finish, hello, object } from './object';
import { begins, chunk, events, grows, message, raw, said } from './raw-server';

const EVENT_STREAM = { 'content-type': 'text/event-stream' };

/** The events, and then nothing: neither an end nor another byte. */
const silent =
  (...data: readonly JsonObject[]) =>
  (response: ServerResponse) => {
    response.writeHead(200, EVENT_STREAM);
    for (const each of data) response.write(`data: ${JSON.stringify(each)}\n\n`);
  };

/** The events, and then a lost connection. */
const lost =
  (...data: readonly JsonObject[]) =>
  (response: ServerResponse) => {
    silent(...data)(response);
    response.write('data: {', () => response.destroy());
  };

const CACHE = { cache_read_input_tokens: 1000, cache_creation_input_tokens: 100 };
const claudeBegins = [...message([], { usage: CACHE }).slice(0, 1), ...said('four words of it').map(at(0))];
const geminiBegins = {
  ...chunk([{ text: 'four words of it' }]),
  usageMetadata: {
    promptTokenCount: 1110,
    candidatesTokenCount: 5,
    thoughtsTokenCount: 200,
    cachedContentTokenCount: 9,
  },
};

function at(index: number): (event: JsonObject) => JsonObject {
  return (event) => ({ ...event, index });
}

describe('what a provider has reported before an answer breaks off counts', () => {
  test.each([
    ['lost', lost],
    ['silent', silent],
  ])('of Anthropic: %s', async (_, broken) => {
    const server = await raw(broken(...claudeBegins));
    const failure = await failureOf(ask({ ...aiSdk(server.claude()), idleTimeout: 300 }));
    const usage = { prompt: 1110, completion: 4, cached: 1000, cacheWritten: 100, estimated: true };
    expect(failure).toMatchObject({ type: 'ModelUnavailable', details: [{}, { usage }] });
  });

  test('of Anthropic, where the answer ends with an error', async () => {
    const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
    const server = await raw(events(...claudeBegins, error));
    const failure = await failureOf(ask(aiSdk(server.claude())));
    expect(failure.details?.[1]).toMatchObject({ usage: { prompt: 1110, cached: 1000, estimated: true } });
  });

  test('of Anthropic, where a person stops it', async () => {
    const stop = new AbortController();
    const server = await raw(silent(...claudeBegins));
    const asked = ask(aiSdk(server.claude()), { signal: stop.signal, onDelta: () => stop.abort() });
    await expect(asked).rejects.toMatchObject({ partial: { usage: { prompt: 1110, cached: 1000, estimated: true } } });
  });

  test.each([
    ['lost', lost],
    ['silent', silent],
  ])('of Gemini: %s', async (_, broken) => {
    const server = await raw(broken(geminiBegins));
    const failure = await failureOf(ask({ ...aiSdk(server.gemini()), idleTimeout: 300 }));
    const usage = { prompt: 1110, completion: 205, cached: 9, reasoning: 200 };
    expect(failure).toMatchObject({ type: 'ModelUnavailable', details: [{}, { usage }] });
  });

  test.each([
    ['chat completions', { choices: [], usage: { prompt_tokens: 300, completion_tokens: 50 } }],
    ['Responses', { type: 'response.failed', response: { usage: { input_tokens: 300, output_tokens: 50 } } }],
    ['Bedrock', { metadata: { usage: { inputTokens: 200, outputTokens: 50, cacheReadInputTokens: 100 } } }],
  ])('in an event of %s', async (_, rawValue) => {
    const parts = [...hello.slice(0, 2), { type: 'raw', rawValue }, { type: 'error', error: new Error('lost') }];
    const failure = await failureOf(ask(aiSdk(object(parts))));
    expect(failure.details?.[1]).toMatchObject({ usage: { prompt: 300, completion: 50 } });
  });
});

describe('what a package leaves out of a usage counts', () => {
  const answer = (rawValue: JsonObject, usage: JsonObject) =>
    ask(aiSdk(object([...hello.slice(0, 2), { type: 'raw', rawValue }, { ...finish, usage }])));
  const told = { inputTokens: { total: 100 }, outputTokens: { total: 20 } };

  test('reasoning that a server behind a compatible package counts beside the answer', async () => {
    const details = {
      completion_tokens_details: { reasoning_tokens: 30 },
      prompt_tokens_details: { cached_tokens: 60 },
    };
    const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 150, ...details };
    const { usage: counted } = await answer({ choices: [], usage }, told);
    expect(counted).toEqual({ prompt: 100, completion: 50, cached: 60, reasoning: 30 });
  });

  test('a cache that it does not know', async () => {
    const usage = { prompt_tokens: 100, completion_tokens: 20, prompt_cache_hit_tokens: 60 };
    expect((await answer({ choices: [], usage }, told)).usage).toEqual({ prompt: 100, completion: 20, cached: 60 });
  });

  test('and what it adds to the events stays', async () => {
    const usage = { prompt_tokens: 60, completion_tokens: 20 };
    expect((await answer({ choices: [], usage }, told)).usage).toEqual({ prompt: 100, completion: 20 });
  });
});

test('an answer of Anthropic counts once, with the figures of its end', async () => {
  const thought = [begins({ type: 'thinking', thinking: '' }), grows({ type: 'thinking_delta', thinking: 'hm' })];
  const server = await raw(events(...message([thought, said('ok')], { usage: CACHE })));
  const { usage } = await ask(aiSdk(server.claude()));
  expect(usage).toEqual({ prompt: 1110, completion: 7, cached: 1000, cacheWritten: 100 });
});
