import { execFileSync } from 'node:child_process';
import { MAIN, RUN_TS } from '../../../sources';
import { keyFor, read, type ServedKit, serveAlone } from '../kit';

const SCOPES = ['start', 'read', 'message', 'decide', 'admin'] as const;
const keys = Object.fromEntries(SCOPES.map((scope) => [scope, keyFor(`only-${scope}`, [scope])]));
let gateway: ServedKit;
beforeAll(async () => {
  gateway = await serveAlone({ config: { keys: Object.values(keys).map(({ entry }) => entry) }, workerTimeout: 10 });
});
afterAll(() => gateway.close());

const message = { text: 'x' };
const chat = { id: 'c', messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'x' }] }] };
// Ids that no run can have: what passes the scopes is then answered without Temporal.
const RUN = '/v1/runs/%01';
const ROUTES: [scopes: string, method: string, path: string, json?: unknown][] = [
  ['', 'GET', '/v1/me'],
  ['', 'GET', '/openapi.json'],
  ['read', 'GET', '/v1/info'],
  ['read', 'GET', '/v1/agents'],
  ['start', 'POST', '/v1/runs', { agent: 'no.such' }],
  ['read', 'GET', RUN],
  ['read', 'GET', `${RUN}/transcript`],
  ['read', 'GET', `${RUN}/result`],
  ['read', 'GET', `${RUN}/events`],
  ['read', 'GET', `${RUN}/waiting`],
  ['read', 'GET', `${RUN}/problem`],
  ['read', 'GET', `${RUN}/ui-messages`],
  ['read', 'GET', `${RUN}/chat/x/stream`],
  ['read', 'GET', `${RUN}/calls/t/result`],
  ['read', 'GET', '/v1/waiting?agent=x'],
  ['read', 'GET', '/v1/runs?agent=x'],
  ['read', 'GET', '/v1/agents/no.such/chat/c/stream'],
  ['message', 'POST', `${RUN}/messages`, message],
  ['message', 'POST', `${RUN}/steer`, message],
  ['message', 'POST', `${RUN}/interrupt`],
  ['message', 'POST', `${RUN}/cancel`],
  ['message', 'POST', `${RUN}/regenerate`],
  ['message', 'POST', `${RUN}/undo`, {}],
  ['message', 'POST', `${RUN}/compact`, {}],
  ['message', 'POST', `${RUN}/rename`, { title: 'x' }],
  ['message', 'POST', `${RUN}/close`],
  ['message', 'POST', `${RUN}/retry`],
  ['message', 'POST', `${RUN}/model`, { model: 'x' }],
  ['message', 'POST', `${RUN}/questions/q/answer`, { answer: 1 }],
  ['decide', 'POST', `${RUN}/budget`, { tokens: 1 }],
  ['decide', 'POST', `${RUN}/calls/t/approve`, {}],
  ['decide', 'POST', `${RUN}/calls/t/deny`, {}],
  ['decide', 'POST', `${RUN}/calls/t/edit`, { input: {} }],
  ['admin', 'DELETE', RUN],
  // Which service it answers decides which of them is enough.
  ['message or decide', 'POST', `${RUN}/calls/t/result`, { data: 1 }],
  ['message or decide', 'POST', '/v1/events', { subject: '\u0001' }],
  // It answers with what is said in the run.
  ['message read', 'POST', `${RUN}/chat`, chat],
  ['message read', 'POST', '/v1/agents/no.such/chat', chat],
];

describe.each(ROUTES)('with the scope "%s" only: %s %s', (needed, method, path, json) => {
  test.each(SCOPES)('a caller with %s', async (scope) => {
    const answer = await read(
      gateway.request(path, { token: keys[scope]?.token ?? '', ...(json === undefined ? {} : { json }), method }),
    );
    const isAllowed = needed === '' || scope === 'admin' || needed.split(' or ').includes(scope);
    if (isAllowed) expect([200, 400, 404]).toContain(answer.status);
    else expect(answer).toMatchObject({ status: 403, body: { error: { type: 'MissingScope' } } });
  });
});

test('every documented route is in this list', async () => {
  const { body } = await read<{ paths: Record<string, object> }>(
    gateway.request('/openapi.json', { token: keys.admin?.token ?? '' }),
  );
  const documented = Object.values(body.paths).reduce((sum, methods) => sum + Object.keys(methods).length, 0);
  // The document itself is not in it.
  expect(documented).toBe(ROUTES.length - 1);
});

test('the command makes keys that work, and prints only the hash for the configuration', async () => {
  const printed = execFileSync(process.execPath, [RUN_TS, MAIN, 'key'], { encoding: 'utf8' });
  const [, token = ''] = /(hf_[\w-]+)/.exec(printed) ?? [];
  const [, hash = ''] = /(sha256:[0-9a-f]{64})/.exec(printed) ?? [];
  const entry = { name: 'CI', hash, tenant: 'acme', scopes: ['read' as const] };
  const other = await serveAlone({ config: { keys: [entry] } });
  try {
    expect((await read(other.request('/v1/me', { token }))).body).toEqual({
      user: 'CI',
      tenant: 'acme',
      scopes: ['read'],
      roles: [],
    });
    for (const wrong of [hash, token.slice(0, -1), `${token}A`, token.toUpperCase(), token.slice(3)]) {
      expect((await other.request('/v1/me', { token: wrong })).status).toBe(401);
    }
  } finally {
    await other.close();
  }
});
