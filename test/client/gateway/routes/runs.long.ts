import { call, text } from 'holdfast/testing';
import { signWebhook } from '../../../../runtime/webhook-signature';
import { events, type GatewayKit, read, startGatewayKit, TOKEN } from '../kit';
import { until } from '../until';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
let gateway: GatewayKit;
beforeAll(async () => {
  gateway = await startGatewayKit({ webhooks: { places: { secret: SECRET } } });
});
afterAll(() => gateway.close());
beforeEach(() => gateway.kit.model.reset());

function signedHeaders(secret: string, timestamp: string, body: string): Record<string, string> {
  const signature = signWebhook(secret, { id: 'w1', timestamp, body });
  return { 'webhook-id': 'w1', 'webhook-timestamp': timestamp, 'webhook-signature': signature };
}

/** An answer of the model that a test lets go. */
function held(content: string) {
  let release = (): void => undefined;
  const until = new Promise<void>((resolve) => {
    release = resolve;
  });
  return {
    release: () => release(),
    step: async () => {
      await until;
      return text(content);
    },
  };
}

type Found = { [name: string]: unknown };
const get = <T = Found>(path: string) => read<T>(gateway.request(path));
const post = <T = Found>(path: string, json: unknown = undefined, init: object = {}) =>
  read<T>(gateway.request(path, json === undefined ? { method: 'POST', ...init } : { json, ...init }));

/** Starts a conversation, and waits until it has answered its first message. */
async function talk(...script: Parameters<GatewayKit['kit']['model']['script']>): Promise<string> {
  gateway.kit.model.script(...script);
  const { status, body } = await post<{ id: string }>('/v1/runs', { agent: 'support.desk', input: 'Hello' });
  expect(status).toBe(201);
  return `/v1/runs/${body.id}`;
}
const idle = (run: string) => until(async () => (await get(run)).body.idle === true);
const said = async (run: string) => JSON.stringify((await get(`${run}/transcript`)).body);
const waiting = async (run: string, kind = 'approvals') => {
  let found: { [field: string]: string }[] = [];
  await until(async () => {
    found = (await get<{ [kind: string]: typeof found }>(`${run}/waiting`)).body[kind] ?? [];
    return found.length > 0;
  });
  return found;
};

test('who the caller is, what there is, and what is up', async () => {
  expect((await get('/v1/me')).body).toEqual({ user: 'ann', scopes: ['admin'], roles: [] });
  expect((await get('/v1/info')).body).toMatchObject({ temporal: { reachable: true }, worker: { polling: true } });
  expect((await get<{ agents: Found[] }>('/v1/agents')).body.agents).toContainEqual(
    expect.objectContaining({ name: 'support.triage', mode: 'task', inputSchema: expect.any(Object) }),
  );
  expect((await get('/openapi.json')).body).toMatchObject({ openapi: '3.1.0' });
  expect((await get('/ready')).status).toBe(200);
});

test('a task is started, and its result is waited for', async () => {
  const answer = held('{"queue":"billing"}');
  gateway.kit.model.script(answer.step);
  const { body } = await post<{ id: string }>('/v1/runs', { agent: 'support.triage', input: { mail: 'Paid twice' } });
  expect(body.id).toMatch(/^local:[0-9a-f]{32}$/);
  const run = `/v1/runs/${body.id}`;
  expect((await get(`${run}/result`)).body).toEqual({ status: 'running' });
  answer.release();
  expect((await get(`${run}/result?wait=60`)).body).toMatchObject({ status: 'completed', data: { queue: 'billing' } });
  expect((await get(`${run}/result`)).body).toMatchObject({ status: 'completed', data: { queue: 'billing' } });
  expect((await get(run)).body).toMatchObject({ agent: 'support.triage', owner: 'local:ann', status: 'completed' });
  expect(
    (await get<{ runs: Found[] }>('/v1/runs?agent=support.triage&status=completed&limit=5')).body.runs,
  ).toContainEqual(expect.objectContaining({ id: body.id, owner: 'local:ann' }));
  expect((await read(gateway.request(run, { method: 'DELETE' }))).status).toBe(204);
  await until(async () => (await get(run)).status === 404);
});

test('the result of a run that has failed says why', async () => {
  const { body } = await post<{ id: string }>('/v1/runs', {
    agent: 'support.triage',
    input: { mail: 'x' },
    budget: { modelCalls: 1 },
  });
  expect((await get(`/v1/runs/${body.id}/result?wait=30`)).body).toMatchObject({
    status: 'failed',
    error: { type: expect.any(String) },
  });
});

test('a conversation: messages, title, model, context, another answer, and its end', async () => {
  const run = await talk(text('Hello to you'), text('First'), text('Second'), text('Summary'));
  await idle(run);
  const { status, body } = await post(`${run}/messages`, { text: 'Again', id: 'm1' });
  expect({ status, body }).toMatchObject({ status: 200, body: { exchange: 2, ahead: 0, after: expect.any(Number) } });
  await idle(run);
  expect(await post(`${run}/regenerate`)).toMatchObject({ status: 200, body: { exchange: 3 } });
  await idle(run);
  expect(await said(run)).toContain('Second');
  expect((await get<{ messages: Found[] }>(`${run}/transcript?form=openai&from=1`)).body.messages[0]).toMatchObject({
    role: 'assistant',
  });
  expect(await post(`${run}/rename`, { title: 'Greetings' })).toMatchObject({ status: 200 });
  await until(async () =>
    (await get<{ runs: Found[] }>('/v1/runs')).body.runs.some(({ title }) => title === 'Greetings'),
  );
  expect(await post(`${run}/model`, { model: 'default' })).toMatchObject({ status: 200 });
  expect((await post(`${run}/compact`, { keep: 1 })).status).toBe(200);
  expect(await post(`${run}/budget`, { tokens: 1_000_000 })).toMatchObject({ status: 409 });
  expect(await post<{ error: Found }>(`${run}/retry`)).toMatchObject({
    status: 409,
    body: { error: { type: 'NothingToRetry' } },
  });
  expect(await post<{ error: Found }>(`${run}/interrupt`)).toMatchObject({
    status: 409,
    body: { error: { type: 'NothingToInterrupt' } },
  });
  expect(await post(`${run}/close`)).toMatchObject({ status: 200, body: { ahead: 0 } });
  await until(async () => (await get(run)).body.status === 'completed');
  expect(await post(`${run}/messages`, { text: 'Too late' })).toMatchObject({
    status: 409,
    body: { error: { type: 'RunEnded' } },
  });
});

test('an answer in progress is steered, interrupted, and the run is cancelled', async () => {
  const run = await talk(held('never').step, text('Now I know'), held('never').step);
  await gateway.kit.model.request(1);
  expect(await post(`${run}/steer`, { text: 'Hurry', when: 'now' })).toMatchObject({ status: 200 });
  await idle(run);
  expect(await said(run)).toContain('Now I know');
  await post(`${run}/messages`, { text: 'Next' });
  await gateway.kit.model.request(3);
  expect(await post(`${run}/interrupt`)).toMatchObject({ status: 200, body: { exchange: 2 } });
  await idle(run);
  expect(await post(`${run}/cancel`)).toMatchObject({ status: 202 });
  await until(async () => (await get(run)).body.status === 'cancelled');
});

test('calls are approved, denied and edited, and an effect is undone', async () => {
  const run = await talk(
    { calls: [1, 2, 3].map((amount) => ({ name: 'refund', arguments: { amount } })) },
    text('Done'),
  );
  const asked = await waiting(run);
  expect(asked.map(({ toolUseId }) => toolUseId)).toEqual(['t1.1', 't1.2', 't1.3']);
  const inbox = await get<{ approvals: Found[] }>('/v1/waiting?agent=support.desk');
  expect(inbox.body.approvals).toHaveLength(3);
  const hash = asked[0]?.hash;
  expect(await post(`${run}/calls/t1.1/approve`, { hash: 'other' })).toMatchObject({
    status: 409,
    body: { error: { type: 'ApprovalMismatch' } },
  });
  expect(await post(`${run}/calls/t1.1/approve`, { hash, comment: 'fine', remember: 'once' })).toMatchObject({
    status: 200,
  });
  expect(await post(`${run}/calls/t1.2/deny`, { reason: 'no' })).toMatchObject({ status: 200 });
  expect(await post(`${run}/calls/t1.3/edit`, { input: { amount: 'x' } })).toMatchObject({ status: 400 });
  expect(await post(`${run}/calls/t1.3/edit`, { input: { amount: 30 } })).toMatchObject({ status: 200 });
  expect(await post(`${run}/calls/t1.3/approve`, {})).toMatchObject({
    status: expect.any(Number),
    body: { error: {} },
  });
  await idle(run);
  expect((await get(`${run}/calls/t1.3/result`)).body).toEqual({ content: [{ type: 'text', text: 'refunded 30' }] });
  expect((await get(`${run}/calls/t9.9/result`)).status).toBe(400);
  expect(await post(`${run}/undo`, { toolUseId: 't1.1' })).toMatchObject({
    status: 200,
    body: { undone: [{ toolUseId: 't1.1' }] },
  });
  expect(await post(`${run}/undo`, { count: 1 })).toMatchObject({
    status: 200,
    body: { undone: [{ toolUseId: 't1.3' }] },
  });
  expect(await post(`${run}/undo`, {})).toMatchObject({ status: 409, body: { error: { type: 'NothingToUndo' } } });
});

test('questions are answered and declined', async () => {
  const run = await talk(
    call('ask_question', { question: 'Which?' }),
    call('ask_question', { question: 'Sure?' }),
    text('Thanks'),
  );
  const [first] = await waiting(run, 'questions');
  const at = `${run}/questions/${first?.questionId}/answer`;
  expect(await post(at, { answer: 'The red one', decline: true })).toMatchObject({ status: 400 });
  expect(await post(at, { answer: 'The red one' })).toMatchObject({ status: 200 });
  let second: string | undefined;
  await until(async () => {
    second = (await waiting(run, 'questions'))[0]?.questionId;
    return second !== first?.questionId;
  });
  expect(await post(`${run}/questions/${second}/answer`, { decline: true, reason: 'No idea' })).toMatchObject({
    status: 200,
  });
  await idle(run);
  expect(await said(run)).toContain('The red one');
  expect(await post(at, { answer: 'Late' })).toMatchObject({ status: expect.any(Number), body: { error: {} } });
});

describe('a call that waits for its result', () => {
  async function located(): Promise<{ run: string; id: string; ref: string }> {
    gateway.kit.model.reset();
    gateway.kit.model.script(call('locate'), text('You are there'));
    const { body } = await post<{ id: string }>('/v1/runs', { agent: 'support.boss', input: 'Where am I?' });
    const run = `/v1/runs/${body.id}`;
    const [service] = await waiting(run, 'services');
    return { run, id: body.id, ref: service?.ref ?? '' };
  }
  const eventFor = (id: string, accessor: string) => ({
    specversion: '1.0',
    id: `e-${id}`,
    source: 'places',
    type: 'evt.place.find.success',
    subject: id,
    data: { city: 'Trier' },
    ...(accessor === '' ? {} : { parentid: accessor }),
  });

  test('is answered by its id', async () => {
    const { run, ref } = await located();
    expect(await post(`${run}/calls/t1.1/result`, { data: { city: 'Trier' }, idempotencyKey: ref })).toMatchObject({
      status: 202,
    });
    await idle(run);
    expect(await said(run)).toContain('Trier');
  });

  test('is answered by an event, also with its own media type', async () => {
    const { run, id, ref } = await located();
    const headers = { 'content-type': 'application/cloudevents+json' };
    expect(await post('/v1/events', eventFor(id, ref), { headers })).toMatchObject({ status: 202 });
    await idle(run);
    expect(await said(run)).toContain('Trier');
    expect(await post('/v1/events', eventFor('local:none', ref))).toMatchObject({ status: 404 });
    expect(await post('/v1/events', { subject: id })).toMatchObject({
      status: 400,
      body: { error: { type: 'InvalidEvent' } },
    });
  });

  test('is answered by a webhook with its signature, and by no other', async () => {
    const { run, id, ref } = await located();
    const body = JSON.stringify(eventFor(id, ref));
    const send = (headers: Record<string, string>, name = 'places', sent = body) =>
      read(gateway.request(`/webhooks/${name}`, { method: 'POST', token: null, body: sent, headers }));
    const signed = (at = Date.now(), secret = SECRET) => signedHeaders(secret, String(Math.floor(at / 1000)), body);
    const refused = {
      status: 401,
      body: { error: { type: 'InvalidSignature', message: 'The webhook is not signed with the secret of this name.' } },
    };
    expect(await send({})).toMatchObject(refused);
    expect(await send({ authorization: `Bearer ${TOKEN}` })).toMatchObject(refused);
    expect(await send(signed(Date.now() - 3_600_000))).toMatchObject(refused);
    expect(await send(signed(Date.now() + 3_600_000))).toMatchObject(refused);
    expect(await send(signed(Date.now(), `whsec_${Buffer.alloc(32, 8).toString('base64')}`))).toMatchObject(refused);
    expect(await send(signed(), 'places', body.replace('Trier', 'Trient'))).toMatchObject(refused);
    expect(await send({ ...signed(), 'webhook-signature': 'v1,' })).toMatchObject(refused);
    expect(await send({ ...signed(), 'webhook-timestamp': '1e9' })).toMatchObject(refused);
    for (const name of ['others', '__proto__', 'constructor'])
      expect(await send(signed(), name)).toMatchObject(refused);
    expect((await get(run)).body.idle).toBe(false);
    expect(await send(signed())).toMatchObject({ status: 202 });
    await idle(run);
    expect(await said(run)).toContain('Trier');
    expect((await read(gateway.request('/webhooks/places', { token: null }))).status).toBe(404);
  });
});

describe('the stream of a run', () => {
  test('has all facts, goes on after the last one that a reader has, and ends with the run', async () => {
    const run = await talk(text('Hello to you'));
    await idle(run);
    await post(`${run}/close`);
    const all = await events(gateway.request(`${run}/events`));
    expect(all.at(-1)).toMatchObject({ event: 'end' });
    const facts = all.filter(({ event }) => event === 'fact');
    expect(facts.map(({ id }) => Number(id))).toEqual(facts.map((_, i) => i + 1));
    const resumed = await events(gateway.request(`${run}/events`, { headers: { 'last-event-id': '3' } }));
    expect(resumed[0]).toMatchObject({ event: 'fact', id: '4' });
    expect(resumed).toEqual([...facts.slice(3), { event: 'end', data: {} }]);
    expect(await events(gateway.request(`${run}/events?after=3&deltas=false`))).toEqual(resumed);
    for (const id of ['x', '-1', '1.5', '99999999999999999999']) {
      expect((await read(gateway.request(`${run}/events`, { headers: { 'last-event-id': id } }))).status).toBe(400);
    }
    expect(await events(gateway.request(`${run}/events?after=9007199254740991`))).toEqual([{ event: 'end', data: {} }]);
  });

  test('of a chat is there for an answer in progress only', async () => {
    const answer = held('Hello to you');
    const run = await talk(answer.step);
    await gateway.kit.model.request(1);
    const stream = gateway.request(`${run}/chat/any/stream`);
    expect((await stream).headers.get('holdfast-run-id')).toBe(run.slice('/v1/runs/'.length));
    answer.release();
    const chunks = await events(stream);
    expect(chunks[0]?.data).toMatchObject({ type: 'start' });
    expect(chunks.map(({ data }) => data.delta ?? '').join('')).toBe('Hello to you');
    await idle(run);
    expect((await gateway.request(`${run}/chat/any/stream`)).status).toBe(204);
    expect((await gateway.request('/v1/agents/support.desk/chat/none/stream')).status).toBe(204);
    expect((await get(`${run}/ui-messages`)).body).toMatchObject({
      running: false,
      messages: [{ role: 'user' }, { role: 'assistant' }],
    });
  });
});
