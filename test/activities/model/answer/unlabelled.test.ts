import { createServer, type ServerResponse } from 'node:http';
import { closeAfterTest } from '../../../close-after-test';
import { listen } from '../../../kit/http-exchange';
import { ask, delta, end, failureOf } from '../asking';
import { lookup } from '../lookup';

const completion = (more: object = { finish_reason: 'stop' }) => ({
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello.' }, ...more }],
});
const GOOD = JSON.stringify(completion());
const data = (...events: readonly unknown[]) =>
  events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('');

/** What a model is told that answers with this text, called by a type. */
async function answered(type: string, text: string, args: Parameters<typeof ask>[1] = {}) {
  const answer = (response: ServerResponse) => response.writeHead(200, { 'content-type': type }).end(text);
  const { port, close } = await listen(
    createServer((request, response) => request.resume().on('end', () => answer(response))),
  );
  closeAfterTest({ close });
  return ask({ baseUrl: `http://127.0.0.1:${port}/v1`, model: 'm' }, args);
}

describe('an answer that is called something else', () => {
  it.each([
    ['a whole answer, called a stream', 'text/event-stream', GOOD],
    ['a whole answer over several lines, called a stream', 'text/event-stream', JSON.stringify(completion(), null, 2)],
    ['a whole answer, called a text', 'text/plain; charset=utf-8', GOOD],
    ['a whole answer before [DONE]', 'text/event-stream', `${GOOD}\n\ndata: [DONE]\n\n`],
    ['a whole answer before [DONE], called JSON', 'application/json', `${GOOD}\n\ndata: [DONE]\n\n`],
    ['a stream, called JSON', 'application/json', data(delta({ content: 'Hello.' }), end(), '[DONE]')],
  ])('is read: %s', async (_, type, text) => {
    expect(await answered(type, text)).toMatchObject({ parts: [{ text: 'Hello.' }], finishReason: 'stop' });
  });
});

describe('an answer whose server names no reason for its end', () => {
  const hello = delta({ content: 'Hello.' });

  it.each([
    ['a whole one', 'application/json', JSON.stringify(completion({}))],
    ['a whole one, with null', 'application/json', JSON.stringify(completion({ finish_reason: null }))],
    ['a whole one, called a stream', 'text/event-stream', JSON.stringify(completion({}))],
    ['a whole one, before [DONE]', 'application/json', `${JSON.stringify(completion({}))}\n\ndata: [DONE]\n\n`],
  ])('has ended: %s', async (_, type, text) => {
    expect(await answered(type, text)).toMatchObject({ parts: [{ text: 'Hello.' }], finishReason: 'stop' });
  });

  it.each([
    ['a stream that ends without a word', data(hello)],
    ['a stream that it calls done', data(hello, '[DONE]')],
  ])('has not: %s', async (_, text) => {
    expect(await failureOf(answered('text/event-stream', text))).toMatchObject({ type: 'ModelUnavailable' });
  });
});

describe('what a server says in no known form is told', () => {
  const half = data(delta({ content: 'Hel' }));

  it.each([
    [
      'an error as JSON, called a stream',
      '{"error":{"message":"Incorrect API key","code":"invalid_api_key"}}',
      'ModelUnauthorized',
      'Incorrect API key',
    ],
    [
      'an error of MiniMax',
      data({ choices: null, base_resp: { status_code: 1008, status_msg: 'insufficient balance' } }, '[DONE]'),
      'ModelQuotaExceeded',
      'insufficient balance',
    ],
    [
      'an error of Mistral without a wrapper',
      data({ object: 'error', message: 'Service unavailable', code: '3700' }),
      'ModelUnavailable',
      'Service unavailable',
    ],
    [
      'an error without `data:`, after a piece',
      `${half}{"error":{"message":"CUDA error: out of memory"}}\n`,
      'ModelUnavailable',
      'CUDA error',
    ],
    [
      'an error of llama-server until 2025',
      `${half}error: {"code":400,"message":"the request exceeds the available context size"}\n\n`,
      'ModelContextTooLong',
      'available context size',
    ],
    ['an error in words', `${half}error: no slot is free\n\n`, 'ModelUnavailable', 'no slot is free'],
    [
      'plain text, called a stream',
      'upstream connect error\nor disconnect',
      'ModelUnavailable',
      'upstream connect error or disconnect',
    ],
  ])('%s', async (_, text, type, words) => {
    const failure = await failureOf(answered('text/event-stream', text));
    expect([failure.type, failure.message]).toEqual([type, expect.stringContaining(words)]);
  });

  it.each([
    ['application/json', '{"error":"Unexpected endpoint or method. (POST /chat/completions)"}', 'Unexpected endpoint'],
    ['application/json', '{"choices":null,"base_resp":{"status_code":0},"note":"moved"}', 'moved'],
    ['application/json', '{"half', 'broken JSON: {"half'],
    ['text/plain', 'Welcome to nginx!', 'text/plain: Welcome to nginx!'],
    ['text/plain', '{"detail":"Not Found"}', 'Not Found'],
    ['application/problem+json', '{"title":"Missing Authentication Token"}', 'Missing Authentication Token'],
  ])('%s %s is not an answer', async (type, text, words) => {
    const failure = await failureOf(answered(type, text));
    expect([failure.type, failure.message]).toEqual(['ModelAnswerUnreadable', expect.stringContaining(words)]);
  });

  it.each(['{"error":{"message":"upstream reset"}}', 'error: timeout', 'goodbye'])(
    'but not after the answer has ended: %s',
    async (line) => {
      const whole = data(delta({ content: 'Hello.' }), end());
      for (const text of [`${whole}data: [DONE]\n\n${line}\n`, `${whole}${line}\n`])
        expect(await answered('text/event-stream', text)).toMatchObject({ parts: [{ text: 'Hello.' }] });
    },
  );

  it('words after half an answer are its error', async () => {
    const failure = await failureOf(answered('text/event-stream', `${half}upstream connect error\n`));
    expect([failure.type, failure.message]).toEqual(['ModelUnavailable', expect.stringContaining('upstream connect')]);
  });

  it('lines that are neither events nor JSON do not harm a stream', async () => {
    const text = `hello\n${data(delta({ content: 'Hel' }))}{ not json\nid: 7\n${data(delta({ content: 'lo.' }), end())}`;
    expect(await answered('text/event-stream', text)).toMatchObject({ parts: [{ text: 'Hello.' }] });
  });

  it('and is bounded', async () => {
    const failure = await failureOf(
      answered('text/event-stream', `${data(delta({ content: 'a' }))}${'{ x\n'.repeat(1_500_000)}`),
    );
    expect(failure.type).toBe('ModelAnswerUnreadable');
    const long = await failureOf(answered('text/event-stream', `{${'x'.repeat(5_000_000)}\n`));
    expect(long.type).toBe('ModelAnswerTooLarge');
    const objects = await failureOf(answered('text/event-stream', '{}\n'.repeat(100_000)));
    expect(objects.type).toBe('ModelAnswerUnreadable');
  });
});

describe('a call whose arguments do not end', () => {
  const calls = (...args: string[]) =>
    data(
      ...args.map((text, index) =>
        delta({ tool_calls: [{ index, id: `c${index}`, function: { name: 'look_up', arguments: text } }] }),
      ),
      end('tool_calls'),
      '[DONE]',
    );
  const requests = async (effect: 'once' | 'idempotent' | 'read', ...args: string[]) =>
    (await answered('text/event-stream', calls(...args), { tools: [{ ...lookup, effect }] })).toolRequests;
  const half = { type: 'InvalidJson', message: expect.stringContaining('end in the middle') };

  it.each([
    ...[
      '{"q":"the first hal',
      '{"q":"x"',
      '{"q":"x",',
      '{"q":{"a":1}',
      '{"q":"if (x) { y }',
      '{"q":"x","n":[1',
      '{"q":tr',
    ],
    ...["{'q':'x", '```json\n{"q":"x"', '/* c */ {"q":"x"', '\uFEFF{"q":"x"', 'call({"q":"x"'],
  ])('is not run by a tool that changes something: %s', async (text) => {
    for (const [refused, whole] of [
      await requests('once', text, '{"q":"a"}'),
      (await requests('idempotent', '{"q":"a"}', text)).reverse(),
    ]) {
      expect(refused).toMatchObject({ input: {}, rawInput: text, problem: half });
      expect(whole).toMatchObject({ input: { q: 'a' } });
      expect(whole).not.toHaveProperty('problem');
    }
  });

  it.each([
    ...['{"q":"x",}', "{'q':'x'}", '{q: "x"}', '"{\\"q\\":\\"x\\"}"', '{\\"q\\": \\"x\\"}', 'call({"q":"x"})'],
    ...['{"q": "x" /* 5" */}', '{"q": "x" /* { */}', '```json\n{"q":"x"}\n```', '{"q":"x"}} ', '{"q":"x"} // done'],
  ])('is not one that is only written wrongly: %s', async (text) => {
    const [request] = await requests('once', text);
    expect(request).toMatchObject({ input: { q: 'x' } });
    expect(request).not.toHaveProperty('problem');
  });

  it('nor one with quotes within a text', async () => {
    for (const text of [`{'q': 'a 5" screen'}`, '{"q": "a 5" screen"}'])
      expect(await requests('once', text)).toMatchObject([{ input: { q: 'a 5" screen' } }]);
  });

  it.each(['look: case 3', '"{\\"q\\":\\"x', '[{"q":"x"}'])(
    'nor one that is not an object at all: %s',
    async (text) => {
      const [request] = await requests('once', text);
      expect(request?.problem?.message).toContain(`The arguments are not a JSON object: ${text}`);
    },
  );

  it('is repaired for a tool that only reads', async () => {
    const [request] = await requests('read', '{"q":"x"');
    expect(request).toMatchObject({ input: { q: 'x' } });
    expect(request).not.toHaveProperty('problem');
  });
});
