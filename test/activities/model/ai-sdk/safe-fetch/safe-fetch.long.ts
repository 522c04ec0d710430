import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { createAnthropic } from '@ai-sdk/anthropic';
import { aiSdk, safeFetch } from 'holdfast/worker';
import { closeAfterTest } from '../../../../close-after-test';
import { bomb, dribble, event, hostile, pour, SSE } from '../../../../hostile/stage/hostile-model';
import { listen } from '../../../../kit/http-exchange';
import { ask, failureOf } from '../../asking';
import { events, json, message, raw, said } from '../raw-server';

const MB = 1024 * 1024;
const claude = (baseURL: string, options = {}) =>
  aiSdk(createAnthropic({ baseURL, apiKey: 'k', fetch: safeFetch(options) })('claude-sonnet-4-5'));

test('an answer within the bounds arrives unchanged', async () => {
  const server = await raw(events(...message([said('Good evening, Zoë 🌙')])));
  expect((await ask(claude(`${server.url}/v1`))).parts).toEqual([{ type: 'text', text: 'Good evening, Zoë 🌙' }]);
});

test('the last event of a stream may lack its empty line', async () => {
  const [end, ...rest] = message([said('ok')]).reverse();
  const server = await raw(events(...rest.reverse(), `data: ${JSON.stringify(end)}`));
  expect((await ask(claude(`${server.url}/v1`))).parts).toEqual([{ type: 'text', text: 'ok' }]);
});

test('a server may repeat the tools of the request, however large they are', async () => {
  const fields = Array.from({ length: 30_000 }, (_, i) => `"f${i}":1`).join(',');
  const server = await hostile((response) => response.writeHead(200, SSE).end(`data: {${fields}}\n\n`));
  const asked = (body?: string) => safeFetch()(server.baseUrl, body === undefined ? {} : { method: 'POST', body });
  expect(await (await asked(`{${fields}}`)).text()).toHaveLength(fields.length + 10);
  await expect((await asked()).text()).rejects.toThrow('one event of its stream is made of more than 20000 values');
});

test.each<[string, string, object, RegExp]>([
  ['an endless line', 'data: x'.repeat(8192), {}, /over 4 MB in one piece/],
  ['an endless event', 'data: x\n'.repeat(8192), {}, /over 4 MB in one piece/],
  ['endless comments', ': alive\n\n'.repeat(8192), {}, /over 4 MB in one piece/],
  [
    'endless events',
    'data: {"type":"ping"}\n\n'.repeat(4096),
    { maxBytes: 2 * MB },
    /over 2 MB, the limit `maxBytes` of `safeFetch`/,
  ],
])('%s ends as too large, and closes the socket', async (_, piece, options, problem) => {
  const server = await hostile((response) => pour(response.writeHead(200, SSE), piece, 1024 * MB));
  const failure = await failureOf(ask(claude(server.baseUrl, options)));
  expect(failure).toMatchObject({ type: 'ModelAnswerTooLarge', nonRetryable: true });
  expect(failure.message).toMatch(problem);
  await server.gone;
});

test('bytes are counted after decompression', async () => {
  const server = await hostile((response) =>
    response.writeHead(200, { ...SSE, 'content-encoding': 'gzip' }).end(bomb(': x\n\n', 256 * MB)),
  );
  expect(await failureOf(ask(claude(server.baseUrl)))).toMatchObject({ type: 'ModelAnswerTooLarge' });
});

test.each([['\n'], ['\r\n'], ['\r']])('many events that are small pass, however they are cut: %j', async (end) => {
  const whole = `${`data: x${end}${end}`.repeat(600_000)}data: end\n\n`;
  const server = await hostile((response) =>
    response.writeHead(200, { ...SSE, 'content-encoding': 'gzip' }).end(gzipSync(whole)),
  );
  const response = await safeFetch()(server.baseUrl);
  expect((await response.text()).trim().length).toBe(whole.trim().length);
});

describe('a body that is divided in another way', () => {
  const answering = async (type: string, body: string) => {
    const server = await hostile((response) => response.writeHead(200, { 'content-type': type }).end(body));
    return (await safeFetch()(server.baseUrl)).text();
  };

  test('frames of Amazon are bounded as a whole only', async () => {
    const body = '['.repeat(5 * MB);
    expect(await answering('application/vnd.amazon.eventstream', body)).toBe(body);
  });

  test('lines of JSON are bounded one by one', async () => {
    const line = '{"values":[1,2,3]}\n';
    const lines = line.repeat(300_000);
    expect(await answering('application/x-ndjson', lines)).toBe(lines);
    const endless = line.replace('\n', ',').repeat(300_000);
    await expect(answering('application/x-ndjson', endless)).rejects.toThrow('more than 20000 values');
  });
});

test('every byte ends the silence that a model allows', async () => {
  const server = await hostile((response) => {
    response.writeHead(200, SSE);
    const comments = Array.from({ length: 30 }, () => ': alive\n\n');
    dribble(
      response,
      comments,
      50,
      message([said('ok')])
        .map(event)
        .join(''),
    );
  });
  const model = { ...claude(server.baseUrl), idleTimeout: 1000 };
  const began = performance.now();
  expect((await ask(model)).parts).toEqual([{ type: 'text', text: 'ok' }]);
  expect(performance.now() - began).toBeGreaterThan(1000);
});

test('a JSON text is bounded as a whole', async () => {
  const server = await hostile((response) =>
    pour(response.writeHead(200, { 'content-type': 'application/json' }), 'x'.repeat(64 * 1024), 64 * MB),
  );
  const response = await safeFetch()(server.baseUrl);
  await expect(response.text()).rejects.toThrow('over 4 MB in one piece');
  await server.gone;
});

test('of an error only the beginning is read', async () => {
  const server = await hostile((response) => pour(response.writeHead(500), 'x'.repeat(64 * 1024), 1024 * MB));
  const response = await safeFetch()(server.baseUrl);
  expect([response.status, (await response.text()).length]).toEqual([500, 64 * 1024]);
  await server.gone;
});

test.each<[string, Parameters<typeof hostile>[0]]>([
  ['headers', () => {}],
  ['the first byte', (response) => response.writeHead(200, SSE).flushHeaders()],
])('the time until %s is bounded', async (_, answer) => {
  const server = await hostile(answer);
  const failure = await failureOf(ask(claude(server.baseUrl, { timeout: 200 })));
  expect(failure).toMatchObject({ type: 'ModelUnavailable', nonRetryable: false });
  expect(failure.message).toContain('nothing arrived for 200 ms, the limit `timeout` of `safeFetch`');
  await server.gone;
});

test('an answer may take longer than its first byte', async () => {
  const server = await hostile((response) => {
    response.writeHead(200, SSE).write('data: 1\n\n');
    setTimeout(() => response.end('data: 2\n\n'), 400);
  });
  expect(await (await safeFetch({ timeout: 200 })(server.baseUrl)).text()).toBe('data: 1\n\ndata: 2\n\n');
});

test('an abort of the caller closes the socket', async () => {
  const server = await hostile((response) => response.writeHead(200, SSE).write('data: 1\n\n'));
  const stop = new AbortController();
  const response = await safeFetch()(server.baseUrl, { signal: stop.signal });
  const reader = response.body?.getReader();
  await reader?.read();
  stop.abort();
  await expect(reader?.read()).rejects.toThrow();
  await server.gone;
});

describe('a redirect', () => {
  async function redirecting(
    location: (own: string) => string,
    status = 307,
  ): Promise<{ url: string; seen: string[] }> {
    const seen: string[] = [];
    const server = createServer(async (request, response) => {
      let body = '';
      for await (const part of request) body += part;
      seen.push(`${request.method} ${request.url} ${body}`);
      if (request.url === '/v1') response.writeHead(status, { location: location(url) }).end();
      else response.end('arrived');
    });
    const { port, close } = await listen(server);
    closeAfterTest({ close });
    const url = `http://127.0.0.1:${port}/v1`;
    return { url, seen };
  }

  test('within the origin is followed, also for a Request', async () => {
    const { url, seen } = await redirecting(() => '/v2');
    const request = new Request(url, { method: 'POST', body: 'question' });
    expect(await (await safeFetch()(request)).text()).toBe('arrived');
    expect(seen).toEqual(['POST /v1 question', 'POST /v2 question']);
  });

  test('to another origin is not, and the error of the model names it', async () => {
    const stranger = await raw(json(200, {}));
    const server = createServer((_request, response) => response.writeHead(307, { location: stranger.url }).end());
    const { port, close } = await listen(server);
    closeAfterTest({ close });
    const failure = await failureOf(ask(claude(`http://127.0.0.1:${port}`)));
    expect(failure).toMatchObject({ type: 'ModelRequestInvalid', nonRetryable: true });
    expect(failure.message).toContain(`it redirects to ${stranger.url}`);
    expect(stranger.bodies).toEqual([]);
  });
});

test('requests go through the fetch that is given', async () => {
  const asked: string[] = [];
  const own: typeof fetch = async (url) => {
    asked.push(String(url));
    return new Response('own');
  };
  expect(await (await safeFetch({ fetch: own })('http://127.0.0.1:1/')).text()).toBe('own');
  expect(asked).toEqual(['http://127.0.0.1:1/']);
});
