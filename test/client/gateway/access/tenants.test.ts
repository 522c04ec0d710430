import { call, text } from 'holdfast/testing';
import { type GatewayKit, keyFor, read, startGatewayKit } from '../kit';
import { until } from '../until';

const bob = keyFor('bob', ['start', 'read', 'message', 'decide']);
const eve = keyFor('eve', ['start', 'read', 'message', 'decide']);
const boss = keyFor('boss', ['admin']);
/** The same name in another tenant. */
const bob2 = keyFor('bob', ['start', 'read', 'message', 'decide'], 'globex');
const boss2 = keyFor('boss', ['admin'], 'globex');
/** A tenant whose name begins with that of another. */
const near = keyFor('bob', ['admin'], 'acme.eu');

let gateway: GatewayKit;
beforeAll(async () => {
  gateway = await startGatewayKit({ keys: [bob, eve, boss, bob2, boss2, near].map(({ entry }) => entry) });
});
afterAll(() => gateway.close());
beforeEach(() => gateway.kit.model.reset());

type Who = { token: string };
const as = <T = { [name: string]: unknown }>({ token }: Who, path: string, init: object = {}) =>
  read<T>(gateway.request(path, { token, ...init }));

async function start(who: Who, agent = 'support.desk', input: unknown = 'Hello'): Promise<string> {
  const { body, status } = await as<{ id: string }>(who, '/v1/runs', { json: { agent, input } });
  expect(status).toBe(201);
  return body.id;
}
const idle = (who: Who, id: string) => until(async () => (await as(who, `/v1/runs/${id}`)).body.idle === true);
interface Waiting {
  approvals: { id: string; toolUseId: string; owner: string }[];
  questions: { id: string }[];
}
async function asked(who: Who, id: string): Promise<Waiting['approvals'][number]> {
  let found: Waiting['approvals'] = [];
  await until(async () => {
    found = (await as<Waiting>(who, `/v1/runs/${encodeURIComponent(id)}/waiting`)).body.approvals ?? [];
    return found.length > 0;
  });
  return found[0] as Waiting['approvals'][number];
}

/** Every route about a run, with a request that fits it. */
const ROUTES: [method: string, path: string, json?: unknown][] = [
  ['GET', ''],
  ['GET', '/transcript'],
  ['GET', '/transcript?form=openai'],
  ['GET', '/result'],
  ['GET', '/events'],
  ['GET', '/waiting'],
  ['GET', '/problem'],
  ['GET', '/ui-messages'],
  ['GET', '/chat/x/stream'],
  ['GET', '/calls/t1.1/result'],
  ['POST', '/messages', { text: 'x' }],
  ['POST', '/steer', { text: 'x' }],
  ['POST', '/interrupt'],
  ['POST', '/cancel'],
  ['POST', '/regenerate'],
  ['POST', '/undo', {}],
  ['POST', '/compact', {}],
  ['POST', '/rename', { title: 'x' }],
  ['POST', '/close'],
  ['POST', '/retry'],
  ['POST', '/model', { model: 'default' }],
  ['POST', '/budget', { tokens: 1 }],
  ['POST', '/calls/t1.1/approve', {}],
  ['POST', '/calls/t1.1/deny', {}],
  ['POST', '/calls/t1.1/edit', { input: {} }],
  ['POST', '/calls/t1.1/result', { data: 1 }],
  ['POST', '/questions/q1/answer', { answer: 'x' }],
  ['POST', '/chat', { id: 'x', messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'x' }] }] }],
  ['POST', '/chat', { id: 'x', trigger: 'regenerate-message', messages: [{ id: 'm', role: 'assistant', parts: [] }] }],
  ['DELETE', ''],
];

test('every route of the document is tried', async () => {
  const { body } = await as<{ paths: Record<string, Record<string, unknown>> }>(boss, '/openapi.json');
  const tried = new Set(
    ROUTES.map(
      ([method, path]) =>
        `${method.toLowerCase()} ${path.split('?')[0]?.replace(/t1\.1/, '{toolUseId}').replace(/q1/, '{questionId}').replace('/x/', '/{chatId}/')}`,
    ),
  );
  const documented = Object.entries(body.paths).flatMap(([path, methods]) =>
    path.startsWith('/v1/runs/{id}')
      ? Object.keys(methods).map((method) => `${method} ${path.slice('/v1/runs/{id}'.length)}`)
      : [],
  );
  expect([...tried].sort()).toEqual(documented.sort());
});

test("another user's run is answered as one that does not exist, byte for byte", async () => {
  gateway.kit.model.script(text('Hello'));
  const id = await start(bob);
  await idle(bob, id);
  const none = `acme:${'0'.repeat(32)}`;
  const answerTo = async (who: Who, run: string, [method, path, json]: (typeof ROUTES)[number]) => {
    const answer = await gateway.request(`/v1/runs/${run}${path}`, {
      token: who.token,
      ...(json === undefined ? {} : { json }),
      method,
    });
    const headers = [...answer.headers].filter(([name]) => name !== 'date');
    return JSON.stringify([answer.status, headers, await answer.text()]).replaceAll(run, 'RUN');
  };
  for (const route of ROUTES) {
    for (const who of [eve, bob2, boss2, near]) {
      const theirs = await answerTo(who, id, route);
      expect(theirs).toBe(await answerTo(who, none, route));
      expect(theirs).toMatch(who === eve || who === bob2 ? /^\[40[34],/ : /^\[404,/);
    }
  }
  const event = (subject: string) => ({
    json: { specversion: '1.0', id: 'e', source: 's', type: 't', subject, data: {} },
  });
  for (const who of [eve, bob2, boss2, near]) {
    const theirs = await as(who, '/v1/events', event(id));
    expect(theirs.text.replaceAll(id, 'RUN')).toBe(
      (await as(who, '/v1/events', event(none))).text.replaceAll(none, 'RUN'),
    );
    expect(theirs.status).toBe(404);
  }
  // Nothing has happened to it.
  expect((await as(bob, `/v1/runs/${id}`)).body).toMatchObject({ idle: true, exchange: 1, status: 'running' });
  expect((await as(boss, `/v1/runs/${id}`)).status).toBe(200);
});

test('an admin finds no run behind workflows of other kinds either', async () => {
  await gateway.kit.client.temporal.workflow.start('holdfast.approvals', {
    workflowId: 'acme:other',
    taskQueue: 'none',
    args: [{ owner: 'acme:bob' }],
  });
  await gateway.kit.client.temporal.workflow.start('support.desk', {
    workflowId: 'acme:bare',
    taskQueue: 'none',
    args: [],
  });
  expect((await as(boss, '/v1/runs/acme:other')).status).toBe(404);
  expect((await as(boss, '/v1/runs/acme:bare')).status).toBe(404);
});

test('lists and the inbox have what the caller may see, also before a run has told its owner to the server', async () => {
  gateway.kit.model.script(...[1, 2, 3].map(() => call('refund', { amount: 1 })));
  const mine = await start(bob);
  const other = await start(eve);
  const foreign = await start(bob2);
  const listed = async (who: Who) =>
    (await as<{ runs: { id: string }[] }>(who, '/v1/runs')).body.runs.map(({ id }) => id);
  for (const [who, id] of [
    [bob, mine],
    [eve, other],
    [bob2, foreign],
  ] as const)
    await asked(who, id);
  const inbox = async (who: Who) => (await as<Waiting>(who, '/v1/waiting')).body.approvals.map(({ id }) => id);
  await until(async () => (await inbox(boss)).length === 2 && (await inbox(boss2)).length === 1);
  expect(await inbox(bob)).toEqual([mine]);
  expect(await inbox(eve)).toEqual([other]);
  expect((await inbox(boss)).sort()).toEqual([mine, other].sort());
  expect(await inbox(boss2)).toEqual([foreign]);
  expect(await inbox(near)).toEqual([]);
  await until(async () => (await listed(bob)).includes(mine));
  expect(await listed(bob)).not.toContain(other);
  expect(await listed(bob)).not.toContain(foreign);
  expect(await listed(boss)).toEqual(expect.arrayContaining([mine, other]));
  expect(await listed(boss)).not.toContain(foreign);
  expect(await listed(boss2)).toEqual([foreign]);
  expect(await listed(near)).toEqual([]);
});

test('attributes that others have written show a run to no one', async () => {
  gateway.kit.model.script(text('Hello'));
  const id = await start(bob);
  await idle(bob, id);
  // A run of another starter that says it is eve's, but only by its memo.
  await gateway.kit.client.temporal.workflow.start('support.desk', {
    workflowId: 'acme:forged',
    taskQueue: 'none',
    args: [{ input: 'x', owner: 'acme:bob' }],
    memo: { holdfastOwner: 'acme:eve' },
  });
  const listed = async (who: Who) =>
    (await as<{ runs: { id: string }[] }>(who, '/v1/runs?limit=500')).body.runs.map((run) => run.id);
  await until(async () => (await listed(boss)).includes('acme:forged'));
  expect(await listed(eve)).not.toContain('acme:forged');
});

test('the run of an agent that works for a run belongs to the same owner', async () => {
  gateway.kit.model.script(call('desk', { text: 'Pay' }), call('pay', { amount: 7 }), text('Paid'), text('All done'));
  const id = await start(bob, 'support.boss');
  const ask = await asked(bob, id);
  expect(ask).toMatchObject({ owner: 'acme:bob', toolUseId: 't1.1' });
  expect(ask.id).not.toBe(id);
  const child = `/v1/runs/${encodeURIComponent(ask.id)}`;
  for (const who of [eve, bob2, boss2]) {
    expect((await as(who, child)).status).toBe(404);
    expect((await as(who, `${child}/calls/t1.1/approve`, { json: {} })).status).toBe(404);
  }
  expect((await as(bob, child)).body).toMatchObject({ agent: 'support.clerk', owner: 'acme:bob' });
  expect((await as(bob, `${child}/calls/t1.1/approve`, { json: {} })).status).toBe(200);
  await idle(bob, id);
  expect(JSON.stringify((await as(bob, `/v1/runs/${id}/transcript`)).body)).toContain('All done');
});

test('a decision that is remembered for an agent holds for its owner only, not for the same name elsewhere', async () => {
  gateway.kit.model.script(call('refund', { amount: 1 }), text('Done'));
  const id = await start(bob);
  await asked(bob, id);
  expect((await as(bob, `/v1/runs/${id}/calls/t1.1/approve`, { json: { remember: 'agent' } })).status).toBe(200);
  await idle(bob, id);
  gateway.kit.model.reset();
  gateway.kit.model.script(call('refund', { amount: 1 }), text('Done'));
  await idle(bob, await start(bob));
  for (const who of [bob2, eve]) {
    gateway.kit.model.reset();
    gateway.kit.model.script(call('refund', { amount: 1 }), text('Done'));
    await asked(who, await start(who));
  }
});

test('the same Idempotency-Key, and the same id of a chat, of two callers are two', async () => {
  gateway.kit.model.script(...Array.from({ length: 12 }, () => text('Hello')));
  const keyed = (who: Who) =>
    as<{ id: string }>(who, '/v1/runs', {
      json: { agent: 'support.desk', input: 'x' },
      headers: { 'idempotency-key': 'k1' },
    });
  const ids = await Promise.all([bob, eve, bob2, boss].map(async (who) => (await keyed(who)).body.id));
  expect(new Set(ids).size).toBe(4);
  expect((await keyed(bob)).body.id).toBe(ids[0]);
  const chat = { id: 'c1', messages: [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Hi' }] }] };
  const runs = await Promise.all(
    [bob, eve, bob2].map(async ({ token }) => {
      const answer = await gateway.request('/v1/agents/support.desk/chat', { token, json: chat });
      await answer.text();
      return answer.headers.get('holdfast-run-id');
    }),
  );
  expect(new Set(runs).size).toBe(3);
});
