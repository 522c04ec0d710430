import type { DeltaBody } from '../../../../agent/protocol/stream';
import type { JsonObject } from '../../../../agent/values/json';
import { hashOfArguments } from '../../../../runtime/sha256';
import { call, text } from '../../../kit/scripted-model';
import { ask, configOf, delta, end, model } from '../asking';
import { lookup } from '../lookup';

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

  test('calls: beside the text, with the ids of the provider, streamed as pieces', async () => {
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
      { providerId: 'a', name: 'look_up', input: { q: 'x' }, hash: hashOfArguments({ q: 'x' }) },
      { name: 'look_up', input: { q: 'y' }, hash: hashOfArguments({ q: 'y' }) },
    ]);
    expect(seen.filter((body) => body.type === 'stream.tool')).toContainEqual({
      type: 'stream.tool',
      index: 1,
      name: 'look_up',
      arguments: '{"q":"y"}',
    });
  });

  test.each(['stop', 'function_call', 'something new'])('calls are calls even if the reason is %s', async (reason) => {
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
      { name: 'look_up', input: { q: 'x' }, hash: hashOfArguments({ q: 'x' }) },
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

  test('a stream with a wrong content type is still read', async () => {
    const server = await model({ raw: [delta({ content: 'ok' }), end()], contentType: 'text/plain' });
    expect((await ask(configOf(server))).parts).toEqual([{ type: 'text', text: 'ok' }]);
  });

  test('an end that the server forgets is not waited for', async () => {
    const server = await model({ raw: [delta({ content: 'done' }), end()], hold: true });
    expect(await ask(configOf(server))).toMatchObject({ parts: [{ text: 'done' }] });
    await server.requests[0]?.socketClosed;
  });

  test('a failure after the finish_reason does not make the run pay for the answer again', async () => {
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

  test('prices turn it into money, with a separate price for cached tokens', async () => {
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
