import { call, text } from 'holdfast/testing';
import { read, signedHeaders, TOKEN } from '../kit';
import { until } from '../until';
import { type Found, routesStage } from './stage';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const { request, get, post, model, talk, idle, said, waiting } = routesStage({
  webhooks: { places: { secret: SECRET } },
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
    model().reset();
    model().script(call('locate'), text('You are there'));
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
      read(request(`/webhooks/${name}`, { method: 'POST', token: null, body: sent, headers }));
    const signed = (at = Date.now(), secret = SECRET) => signedHeaders(secret, body, String(Math.floor(at / 1000)));
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
    expect((await read(request('/webhooks/places', { token: null }))).status).toBe(405);
  });
});
