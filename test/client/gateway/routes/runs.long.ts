import { text } from 'holdfast/testing';
import { events, read } from '../kit';
import { until } from '../until';
import { type Found, held, routesStage } from './stage';

const { request, get, post, model, talk, idle, said } = routesStage();

test('who the caller is, what there is, and what is up', async () => {
  expect((await get('/v1/me')).body).toEqual({ user: 'ann', scopes: ['admin'], roles: [] });
  const info = async () => (await get<{ worker: { polling: boolean } }>('/v1/info')).body;
  // The server knows of a worker a moment after it has begun.
  await until(async () => (await info()).worker.polling);
  expect(await info()).toMatchObject({ temporal: { reachable: true }, worker: { polling: true } });
  expect((await get<{ agents: Found[] }>('/v1/agents')).body.agents).toContainEqual(
    expect.objectContaining({ name: 'support.triage', mode: 'task', inputSchema: expect.any(Object) }),
  );
  expect((await get('/openapi.json')).body).toMatchObject({ openapi: '3.1.0' });
  expect((await get('/ready')).status).toBe(200);
});

test('a task is started, and its result is waited for', async () => {
  const answer = held('{"queue":"billing"}');
  model().script(answer.step);
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
  expect((await read(request(run, { method: 'DELETE' }))).status).toBe(204);
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
  await model().request(1);
  expect(await post(`${run}/steer`, { text: 'Hurry', when: 'now' })).toMatchObject({ status: 200 });
  await idle(run);
  expect(await said(run)).toContain('Now I know');
  await post(`${run}/messages`, { text: 'Next' });
  await model().request(3);
  expect(await post(`${run}/interrupt`)).toMatchObject({ status: 200, body: { exchange: 2 } });
  await idle(run);
  expect(await post(`${run}/cancel`)).toMatchObject({ status: 202 });
  await until(async () => (await get(run)).body.status === 'cancelled');
});

describe('the stream of a run', () => {
  test('has all facts, goes on after the last one that a reader has, and ends with the run', async () => {
    const run = await talk(text('Hello to you'));
    await idle(run);
    await post(`${run}/close`);
    const all = await events(request(`${run}/events`));
    expect(all.at(-1)).toMatchObject({ event: 'end' });
    const facts = all.filter(({ event }) => event === 'fact');
    expect(facts.map(({ id }) => Number(id))).toEqual(facts.map((_, i) => i + 1));
    const resumed = await events(request(`${run}/events`, { headers: { 'last-event-id': '3' } }));
    expect(resumed[0]).toMatchObject({ event: 'fact', id: '4' });
    expect(resumed).toEqual([...facts.slice(3), { event: 'end', data: {} }]);
    expect(await events(request(`${run}/events?after=3&deltas=false`))).toEqual(resumed);
    for (const id of ['x', '-1', '1.5', '99999999999999999999']) {
      expect((await read(request(`${run}/events`, { headers: { 'last-event-id': id } }))).status).toBe(400);
    }
    expect(await events(request(`${run}/events?after=9007199254740991`))).toEqual([{ event: 'end', data: {} }]);
  });

  test('of a chat is there for an answer in progress only', async () => {
    const answer = held('Hello to you');
    const run = await talk(answer.step);
    await model().request(1);
    const stream = request(`${run}/chat/any/stream`);
    expect((await stream).headers.get('holdfast-run-id')).toBe(run.slice('/v1/runs/'.length));
    answer.release();
    const chunks = await events(stream);
    expect(chunks[0]?.data).toMatchObject({ type: 'start' });
    expect(chunks.map(({ data }) => data.delta ?? '').join('')).toBe('Hello to you');
    await idle(run);
    expect((await request(`${run}/chat/any/stream`)).status).toBe(204);
    expect((await request('/v1/agents/support.desk/chat/none/stream')).status).toBe(204);
    expect((await get(`${run}/ui-messages`)).body).toMatchObject({
      running: false,
      messages: [{ role: 'user' }, { role: 'assistant' }],
    });
  });
});
