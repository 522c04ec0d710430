import { newKey } from 'holdfast/server';
import { read, type ServedKit, serveAlone, TOKEN } from '../kit';
import { exchange } from './raw-http';

const SHOP = 'https://shop.example.com';
let gateway: ServedKit;
beforeAll(async () => {
  gateway = await serveAlone({ config: { origins: [SHOP], hosts: ['agents.example.com'] } });
});
afterAll(() => gateway.close());

const raw = (path: string, headers: string, method = 'GET') =>
  exchange(gateway.url, `${method} ${path} HTTP/1.1\r\nConnection: close\r\n${headers}\r\n\r\n`);
const bearer = `Authorization: Bearer ${TOKEN}`;

describe('without credentials', () => {
  test.each([
    ['GET', '/v1/me'],
    ['GET', '/v1'],
    ['GET', '/v1/'],
    ['GET', '/v1/nothing/here'],
    ['PUT', '/v1/runs'],
    ['PATCH', '/v1/runs/x'],
    ['HEAD', '/v1/runs'],
    ['OPTIONS', '/v1/runs'],
    ['POST', '/v1/runs'],
    ['DELETE', '/v1/runs/x'],
    ['GET', '/v1/runs/%ff/events'],
    ['GET', '/%76%31/runs'],
    ['GET', '/openapi.json'],
    ['POST', '/openapi.json'],
  ])('%s %s says that the caller is unknown, and nothing else', async (method, path) => {
    const answer = await gateway.request(path, { method, token: null });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    if (method !== 'HEAD')
      expect(await answer.json()).toEqual({ error: { type: 'Unauthorized', message: expect.any(String) } });
  });

  test('a body is neither read nor judged', async () => {
    const answer = await gateway.request('/v1/runs', {
      token: null,
      method: 'POST',
      body: '{',
      headers: { 'content-type': 'text/x' },
    });
    expect(answer.status).toBe(401);
  });

  test.each(['//v1/me', '/V1/me', '/v1%2fme', '/./v1/../v1/me', '/v1\\me', '/v1;x/me', '/v1/me%00'])(
    'the address %s leads around nothing',
    async (path) => {
      const answer = await raw(path, 'Host: localhost');
      expect(answer).toMatch(/^HTTP\/1\.1 (400|401|404) /);
      expect(answer).not.toContain('"user"');
    },
  );

  test('the health and the readiness can be learned, without a reason', async () => {
    expect(await read(gateway.request('/health', { token: null }))).toMatchObject({
      status: 200,
      text: '{"status":"ok"}',
    });
    expect(await read(gateway.request('/ready', { token: null }))).toMatchObject({
      status: 503,
      text: '{"status":"not ready"}',
    });
  });
});

test.each([
  'Basic YTpi',
  'Bearer',
  'Bearer ',
  'Bearer wrong',
  `Bearer ${TOKEN}x`,
  `Bearer ${TOKEN} x`,
  `${TOKEN}`,
  `Bearer ${'x'.repeat(9000)}`,
  `Bearer ${newKey().key}`,
  'Bearer a.b.c',
])('the credentials %.20s are refused', async (authorization) => {
  expect((await gateway.request('/v1/me', { token: null, headers: { authorization } })).status).toBe(401);
});

test('two headers with credentials do not count', async () => {
  const answer = await raw('/v1/me', `Host: localhost\r\n${bearer}\r\nAuthorization: Bearer x`);
  expect(answer).not.toContain('HTTP/1.1 500');
});

describe('the name of the server', () => {
  test.each(['localhost', 'LOCALHOST:4080', '127.0.0.1:1', '[::1]:80', 'agents.example.com', 'Agents.Example.com:443'])(
    '%s is its own',
    async (host) => expect(await raw('/v1/me', `Host: ${host}\r\n${bearer}`)).toMatch(/^HTTP\/1\.1 200 /),
  );

  test.each([
    'evil.example',
    'localhost.evil.example',
    'evil.example:4080',
    '127.0.0.1.evil.example',
    'agents.example.com.evil.example',
    'localhost@evil.example',
    'evil.example#localhost',
    '0.0.0.0',
  ])('%s is none', async (host) => {
    for (const path of ['/v1/me', '/openapi.json', '/', '/webhooks/x']) {
      expect(await raw(path, `Host: ${host}\r\n${bearer}`)).toMatch(/^HTTP\/1\.1 (421|400) /);
    }
  });

  test('a whole URL in the request line cannot change it', async () => {
    expect(await raw('http://localhost/v1/me', `Host: evil.example\r\n${bearer}`)).toMatch(/^HTTP\/1\.1 421 /);
  });

  test('none at all is none', async () => {
    const answer = await exchange(gateway.url, `GET /v1/me HTTP/1.0\r\n${bearer}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 (421|400) /);
  });
});

describe('pages of other origins', () => {
  const from = (origin: string, init: object = {}) =>
    gateway.request('/v1/runs/x/cancel', { method: 'POST', headers: { origin }, ...init });

  test.each([
    'https://evil.example',
    'null',
    'http://localhost:1',
    'https://shop.example.com.evil.example',
    'http://shop.example.com',
    'x',
  ])('may not write from %s', async (origin) => {
    expect(await read(from(origin))).toMatchObject({ status: 403, body: { error: { type: 'ForeignOrigin' } } });
  });

  test('may not write without saying where they are', async () => {
    const answer = gateway.request('/v1/runs/x/cancel', {
      method: 'POST',
      headers: { 'sec-fetch-site': 'cross-site' },
    });
    // fetch of Node does not let a program set it.
    expect([403, 503]).toContain((await answer).status);
    expect(
      await raw(
        '/v1/runs/x/cancel',
        `Host: localhost\r\n${bearer}\r\nContent-Length: 0\r\nSec-Fetch-Site: cross-site`,
        'POST',
      ),
    ).toMatch(/ 403 /);
  });

  test('may use it where they are configured, also to read why it was refused', async () => {
    for (const token of [TOKEN, null]) {
      const answer = await gateway.request('/v1/me', { token, headers: { origin: SHOP } });
      expect(answer.status).toBe(token === null ? 401 : 200);
      expect(answer.headers.get('access-control-allow-origin')).toBe(SHOP);
      expect(answer.headers.get('vary')).toMatch(/origin/i);
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    }
    const asked = await gateway.request('/v1/runs', { method: 'OPTIONS', token: null, headers: { origin: SHOP } });
    expect(asked.status).toBe(204);
    expect(asked.headers.get('access-control-allow-headers')).toContain('idempotency-key');
  });

  test('get no headers that let them read', async () => {
    for (const method of ['GET', 'OPTIONS', 'POST']) {
      const answer = await gateway.request('/v1/me', { method, headers: { origin: 'https://evil.example' } });
      expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });
});

test('every answer has the security headers', async () => {
  for (const path of ['/', '/v1/me', '/v1/nothing', '/health', '/openapi.json']) {
    for (const token of [TOKEN, null]) {
      const { headers } = await gateway.request(path, { token });
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cache-control')).toBe('no-store');
    }
  }
});

test.each(['0.0.0.0', '::', '192.0.2.1', '127.evil.example', 'localhost.evil.example'])(
  'it does not open at %s without keys',
  async (host) => {
    await expect(serveAlone({ config: { host } })).rejects.toMatchObject({ type: 'InvalidConfig' });
  },
);

test('it answers to the address that it listens at', async () => {
  const other = await serveAlone({ config: { host: '127.0.0.2' } });
  try {
    expect((await other.request('/v1/me')).status).toBe(200);
  } finally {
    await other.close();
  }
});
