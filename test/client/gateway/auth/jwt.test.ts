import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { read, type ServedKit, serveAlone } from '../kit';

const jose = require('jose') as Jose;
type Jose = typeof import('jose', { with: { 'resolution-mode': 'import' }});
const ISSUER = 'https://login.example.com';
const AUDIENCE = 'agents';

let keys: Awaited<ReturnType<Jose['generateKeyPair']>>;
let issuer: Server;
let jwks: unknown;
let gateway: ServedKit;

beforeAll(async () => {
  keys = await jose.generateKeyPair('RS256', { extractable: true });
  jwks = { keys: [{ ...(await jose.exportJWK(keys.publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' }] };
  issuer = createServer((_, answer) => answer.setHeader('content-type', 'application/json').end(JSON.stringify(jwks)));
  issuer.listen(0, '127.0.0.1');
  await once(issuer, 'listening');
  gateway = await serveAlone({ config: { jwt: configOf(address()) } });
});
afterAll(async () => {
  await gateway.close();
  issuer.close();
});

const address = () => `http://127.0.0.1:${(issuer.address() as AddressInfo).port}/jwks`;
const CLAIMS = { tenant: 'tenant', user: 'sub', scopes: 'scope', roles: 'roles' };
const configOf = (url: string, claims = CLAIMS) => ({ jwks: url, issuer: ISSUER, audience: AUDIENCE, claims });
const PAYLOAD = { sub: 'bob', tenant: 'acme', scope: 'read message' };
const now = () => Math.floor(Date.now() / 1000);

function sign(
  payload: object,
  header: object = {},
  key: Awaited<ReturnType<Jose['generateKeyPair']>>['privateKey'] | Uint8Array = keys.privateKey,
): Promise<string> {
  const whole = { iss: ISSUER, aud: AUDIENCE, exp: now() + 300, ...PAYLOAD, ...payload };
  return new jose.SignJWT(JSON.parse(JSON.stringify(whole)))
    .setProtectedHeader({ alg: 'RS256', kid: 'k1', ...header })
    .sign(key);
}
const me = (token: string, at = gateway) => read<{ scopes: string[] }>(at.request('/v1/me', { token }));

test('a token of the issuer says who the caller is', async () => {
  const answer = await me(await sign({ roles: ['finance', 7, ''] }));
  expect(answer.body).toEqual({ user: 'bob', tenant: 'acme', scopes: ['read', 'message'], roles: ['finance'] });
});

test.each([
  ['a text', 'openid read  admin'],
  ['a list', ['read', 'admin', 5, null]],
])('scopes may be %s; those of others do not count', async (_, scope) => {
  expect((await me(await sign({ scope }))).body.scopes).toEqual(['read', 'admin']);
});

test.each([
  ['without scopes', { scope: undefined }],
  ['with scopes of another form', { scope: { read: true } }],
])('a token %s may do nothing', async (_, payload) => {
  const token = await sign(payload);
  expect((await me(token)).body.scopes).toEqual([]);
  expect((await gateway.request('/v1/runs', { token })).status).toBe(403);
});

test.each([
  ['expired', { exp: 1 }],
  ['without an end', { exp: undefined }],
  ['not yet valid', { nbf: 4_000_000_000 }],
  ['for another audience', { aud: 'others' }],
  ['without an audience', { aud: undefined }],
  ['of another issuer', { iss: 'https://evil.example' }],
  ['without a user', { sub: undefined }],
  ['with an empty user', { sub: '' }],
  ['with a user who is a number', { sub: 5 }],
  ['with a user who pretends to be a role', { sub: 'role:finance' }],
  ['with a user with a line break', { sub: 'bob\nadmin' }],
  ['with a user with marks that turn text around', { sub: 'bob\u202e' }],
  ['with an overlong user', { sub: 'x'.repeat(201) }],
  ['without a tenant', { tenant: undefined }],
  ['with a tenant with a colon', { tenant: 'acme:bob' }],
  ['with the tenant of this machine', { tenant: 'local' }],
  ['with an empty tenant', { tenant: '' }],
  ['with a tenant in capitals', { tenant: 'Acme' }],
  ['with a tenant that is a list', { tenant: ['acme'] }],
  ['with a tenant with a line break', { tenant: 'acme\n' }],
])('a token %s is refused', async (_, payload) => {
  expect((await me(await sign(payload))).status).toBe(401);
});

test('a token is refused whose signature is none, of the public key, of another key, or broken', async () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const payload = { iss: ISSUER, aud: AUDIENCE, exp: now() + 300, ...PAYLOAD };
  for (const alg of ['none', 'None', 'NONE']) {
    expect((await me(`${part({ alg, kid: 'k1' })}.${part(payload)}.`)).status).toBe(401);
    expect((await me(`${part({ alg, kid: 'k1' })}.${part(payload)}.x`)).status).toBe(401);
  }
  const pem = new TextEncoder().encode(await jose.exportSPKI(keys.publicKey));
  expect((await me(await sign({}, { alg: 'HS256' }, pem))).status).toBe(401);
  const jwk = new TextEncoder().encode(JSON.stringify(await jose.exportJWK(keys.publicKey)));
  expect((await me(await sign({}, { alg: 'HS256' }, jwk))).status).toBe(401);
  const other = await jose.generateKeyPair('RS256');
  expect((await me(await sign({}, {}, other.privateKey))).status).toBe(401);
  // A key that the token brings along.
  const own = await jose.exportJWK(other.publicKey);
  expect((await me(await sign({}, { jwk: own, kid: 'k2' }, other.privateKey))).status).toBe(401);
  expect((await me(await sign({}, { kid: 'k2' }))).status).toBe(401);
  const good = await sign({});
  expect((await me(`${good.slice(0, -4)}AAAA`)).status).toBe(401);
  expect((await me(good)).status).toBe(200);
});

test('claims can have other names', async () => {
  const claims = { tenant: 'https://example.com/org', user: 'email', scopes: 'permissions', roles: 'groups' };
  const other = await serveAlone({ config: { jwt: configOf(address(), claims) } });
  try {
    const payload = {
      'https://example.com/org': 'globex',
      email: 'eve@globex.example',
      permissions: ['start'],
      groups: 'a b',
    };
    expect((await me(await sign(payload), other)).body).toEqual({
      user: 'eve@globex.example',
      tenant: 'globex',
      scopes: ['start'],
      roles: ['a', 'b'],
    });
    expect((await me(await sign({}), other)).status).toBe(401);
  } finally {
    await other.close();
  }
});

describe('when the keys of the issuer cannot be fetched', () => {
  const answerOf = async (url: string) => {
    const other = await serveAlone({ config: { jwt: configOf(url) } });
    try {
      const answer = await other.request('/v1/me', { token: await sign({}) });
      return { status: answer.status, retry: answer.headers.get('retry-after'), body: await answer.json() };
    } finally {
      await other.close();
    }
  };
  const away = { status: 503, retry: '2', body: { error: { type: 'IssuerUnavailable' } } };

  test('because nothing listens there, the answer is 503', async () => {
    expect(await answerOf('http://127.0.0.1:1/jwks')).toMatchObject(away);
  });

  test.each([
    ['500', (answer: ServerResponse) => answer.writeHead(500).end('{}')],
    ['a page', (answer: ServerResponse) => answer.writeHead(200).end('<html>')],
    ['other JSON', (answer: ServerResponse) => answer.writeHead(200).end('{"keys":"none"}')],
    [
      'a cut answer',
      (answer: ServerResponse) => answer.writeHead(200, { 'content-length': 100 }).write('{') && answer.destroy(),
    ],
  ])('because the answer is %s, it is 503', async (_, respond) => {
    const broken = createServer((_request, answer) => void respond(answer));
    broken.listen(0, '127.0.0.1');
    await once(broken, 'listening');
    expect(await answerOf(`http://127.0.0.1:${(broken.address() as AddressInfo).port}/`)).toMatchObject(away);
    broken.close();
  });
});
