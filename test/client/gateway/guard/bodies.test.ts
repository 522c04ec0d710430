import { read, type ServedKit, serveAlone, TOKEN } from '../kit';
import { until } from '../until';
import { dial, exchange, happens } from './raw-http';

const MB = 1024 * 1024;
let gateway: ServedKit;
beforeAll(async () => {
  gateway = await serveAlone({
    config: { limits: { body: 4 * MB, requests: 100_000, streams: 10, idle: 30_000 } },
    workerTimeout: 500,
  });
});
afterAll(() => gateway.close());

const post = (
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = { 'content-type': 'application/json' },
  path = '/v1/runs',
) => read(gateway.request(path, { method: 'POST', body, headers }));
const head = `POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\nConnection: close\r\n`;

/** Sends up to 50 MB without a length, until there is an answer: the answer, and the bytes that were sent. */
async function flood(headers: string): Promise<{ answer: string; sent: number }> {
  const socket = await dial(gateway.url);
  let answer = '';
  let sent = 0;
  socket.on('data', (data) => {
    answer += data.toString();
  });
  socket.write(`${headers}Transfer-Encoding: chunked\r\n\r\n`);
  const piece = `10000\r\n${'x'.repeat(64 * 1024)}\r\n`;
  while (answer === '' && sent < 50 * MB && !socket.destroyed) {
    sent += piece.length;
    if (socket.write(piece)) await new Promise(setImmediate);
    else await happens(socket, 'drain', 'data', 'close');
  }
  await until(() => answer.includes('\r\n\r\n') || socket.destroyed);
  socket.destroy();
  return { answer, sent };
}

test('a body of 50 MB is refused before it has arrived', async () => {
  const socket = await dial(gateway.url);
  let answer = '';
  socket.on('data', (data) => {
    answer += data.toString();
  });
  socket.write(`${head}Content-Length: ${50 * MB}\r\n\r\n{`);
  await until(() => answer.includes('BodyTooLarge'));
  expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  socket.destroy();
});

test('so is one of unknown length, as soon as it is too large', async () => {
  const { answer, sent } = await flood(head);
  expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  expect(sent).toBeLessThan(20 * MB);
});

test('of an unknown caller nothing is read', async () => {
  for (const path of ['/v1/runs', '/webhooks/unknown']) {
    const { answer, sent } = await flood(
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    expect(sent).toBeLessThan(4 * MB);
  }
});

test.each(['{', '', '{"agent":', 'undefined', '{"agent":"a.b"}{', '\u0000', "{'agent':1}", 'NaN', '\ufeff{}x'])(
  'malformed JSON is refused: %s',
  async (body) => {
    expect(await post(body)).toMatchObject({ status: 400, body: { error: { type: 'InvalidRequest' } } });
  },
);

test.each([
  'null',
  '[]',
  '1',
  '"text"',
  'true',
  '{}',
  '{"agent":1}',
  '{"agent":"support.desk","who":1}',
  '{"agent":"support.desk","budget":[]}',
])('JSON that does not fit is refused: %s', async (body) => {
  expect(await post(body)).toMatchObject({ status: 400, body: { error: { type: 'InvalidRequest' } } });
});

test.each([
  [
    '',
    { agent: 'support.desk', mesage: 'Hi' },
    /There is no `mesage` here; possible are `agent`, `input`, .*`budget`$/,
  ],
  ['', { agent: 'support.desk', budgt: {} }, /There is no `budgt` here; did you mean `budget`\?$/],
  [
    '',
    { agent: 'support.desk', budget: { tokns: 1 } },
    /^`budget`: There is no `tokns` here; did you mean `tokens`\?$/,
  ],
  ['/r1/messages', { parts: [{ type: 'text', txt: 'Hi' }] }, /^`parts.0.text`: .*expected string/],
  ['/r1/messages', { parts: [{ type: 'image' }] }, /^`parts.0.type`: /],
  ['/r1/questions/q1/answer', { decline: false }, /^Expected `\{answer\}` or `\{decline, reason\}`$/],
  [
    '/r1/calls/t1.1/result',
    { data: 1, error: 'x' },
    /^Expected `\{data, idempotencyKey\}` or `\{error, idempotencyKey\}`$/,
  ],
] as const)('what does not fit is named, with what would: %s %j', async (path, body, message) => {
  expect(await post(JSON.stringify(body), undefined, `/v1/runs${path}`)).toMatchObject({
    body: { error: { type: 'InvalidRequest', message: expect.stringMatching(message) } },
  });
});

test.each([
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/jsonx',
  'text/json',
  'application/json, text/plain',
  'x',
  '',
])('a body of the type %s is refused', async (type) => {
  const answer = await post(
    new TextEncoder().encode('{"agent":"support.desk"}'),
    type === '' ? {} : { 'content-type': type },
  );
  expect(answer).toMatchObject({ status: 415 });
});

test('the last of two keys counts, as everywhere in JavaScript', async () => {
  expect(await post('{"agent":"support.desk","agent":"no.such"}')).toMatchObject({
    status: 404,
    body: { error: { type: 'UnknownAgent' } },
  });
});

test('keys of the prototype are data', async () => {
  const keys = '{"agent":"support.desk","__proto__":{"agent":"x"}}';
  expect((await post(keys)).status).toBe(400);
  const nested = '{"agent":"support.desk","constructor":{"prototype":{"polluted":1}}}';
  expect((await post(nested)).status).toBe(400);
  await post('{"agent":"no.such","metadata":{"__proto__":{"polluted":1}},"input":{"__proto__":{"polluted":1}}}');
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
});

test('an array of a million elements is judged in time', async () => {
  const million = `[${'1,'.repeat(999_999)}1]`;
  const since = performance.now();
  expect((await post(`{"agent":${million}}`)).status).toBe(400);
  expect((await post(million)).status).toBe(400);
  expect((await post(`{"parts":${million}}`, undefined, '/v1/runs/x/messages')).status).toBe(400);
  expect((await post(`{"id":"c","messages":${million}}`, undefined, '/v1/agents/support.desk/chat')).status).toBe(400);
  expect((await post(`{"agent":"no.such","input":${million}}`)).status).toBe(404);
  expect(performance.now() - since).toBeLessThan(20_000);
});

test('many names in one body are judged in time', async () => {
  const many = JSON.stringify(Object.fromEntries(Array.from({ length: 200_000 }, (_, i) => [`k${i}`, 1])));
  const since = performance.now();
  expect((await post(`{"agent":"support.desk",${many.slice(1)}`)).status).toBe(400);
  expect(performance.now() - since).toBeLessThan(10_000);
});

test.each(['[', '{"a":'])('nesting of a million levels is refused: %s', async (open) => {
  const close = open === '[' ? ']' : '}';
  const deep = `${open.repeat(400_000)}1${close.repeat(400_000)}`;
  expect(await post(`{"agent":"support.desk","input":${deep}}`)).toMatchObject({ status: 400 });
});

test('a length that is not one, and two lengths, are refused', async () => {
  expect(await exchange(gateway.url, `${head}Content-Length: x\r\n\r\n{}`)).toMatch(/^HTTP\/1\.1 400 /);
  expect(
    await exchange(gateway.url, `${head}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`),
  ).toMatch(/^HTTP\/1\.1 400 /);
});

test.each(['a b', 'x'.repeat(201), 'ümlaut', '', 'a,b c'])('an Idempotency-Key like %.10s is refused', async (key) => {
  const answer = await exchange(
    gateway.url,
    `${head}Idempotency-Key: ${Buffer.from(key).toString('latin1')}\r\nContent-Length: 24\r\n\r\n{"agent":"support.desk"}`,
  );
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
});

test('line breaks in headers cannot be sent', async () => {
  expect(await exchange(gateway.url, `${head}Idempotency-Key: a\rb\r\nContent-Length: 2\r\n\r\n{}`)).toMatch(
    /^HTTP\/1\.1 400 /,
  );
});

test.each([
  ['headers of more than 16 KB', `${head}X: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'HeadersTooLarge'],
  ['an address of more than 16 KB', `GET /v1/runs/${'x'.repeat(20_000)} HTTP/1.1\r\n\r\n`, 431, 'HeadersTooLarge'],
  ['what is not HTTP', 'HELO there\r\n\r\n', 400, 'InvalidRequest'],
])('%s: refused as everything else is', async (_what, bytes, status, type) => {
  const [top = '', body = ''] = (await exchange(gateway.url, bytes)).split('\r\n\r\n');
  expect(top).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(top.toLowerCase()).toContain('content-type: application/json');
  expect(top.toLowerCase()).toContain(`content-length: ${Buffer.byteLength(body)}`);
  expect(JSON.parse(body)).toEqual({ error: { type, message: expect.any(String) } });
});

test('a request that arrives too slowly is refused in the same way', async () => {
  const slow = await serveAlone({ config: { limits: { body: MB, requests: 100, streams: 1, idle: 300 } } });
  try {
    const answer = await exchange(slow.url, 'GET /v1/me HTTP/1.1\r\nX: ');
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ error: { type: 'RequestTooSlow' } });
  } finally {
    await slow.close();
  }
});

test('garbage behind a request does not get into its answer', async () => {
  const answer = await exchange(gateway.url, `GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n\u0000\u0001\r\n\r\n`);
  expect(answer).not.toMatch(/HTTP\/1\.1 [45].*HTTP\/1\.1 2/s);
});
