import { createGateway, gatewayOf } from 'holdfast/server';
import { text } from 'holdfast/testing';
import { dial, hungUp } from './guard/raw-http';
import { AGENTS, events, type GatewayKit, keyFor, read, type ServedKit, serveKit, startGatewayKit, TOKEN } from './kit';
import { until } from './until';

const bob = keyFor('bob', ['admin']);
const LIMITS = { body: 1024 * 1024, requests: 1_000_000, streams: 3, idle: 1000 };
let gateway: GatewayKit;
let other: ServedKit;
beforeAll(async () => {
  gateway = await startGatewayKit({ keys: [bob.entry], limits: LIMITS });
  other = await serveKit(gateway.kit.client);
});
afterAll(async () => {
  await other.close();
  await gateway.close();
});
beforeEach(() => gateway.kit.model.reset());

async function talk(...script: Parameters<GatewayKit['kit']['model']['script']>): Promise<string> {
  gateway.kit.model.script(...script);
  const { body } = await read<{ id: string }>(
    gateway.request('/v1/runs', { json: { agent: 'support.desk', input: 'Hello' } }),
  );
  return `/v1/runs/${body.id}`;
}
const state = (run: string) => read<{ idle: boolean; facts: number }>(gateway.request(run));
const idle = (run: string) => until(async () => (await state(run)).body.idle);
/** Opens a stream; the returned function hangs up. */
async function open(
  run: string,
  { token = TOKEN, at = gateway as ServedKit } = {},
): Promise<{ status: number; leave: () => void; answer: Response }> {
  const left = new AbortController();
  const answer = await at.request(`${run}/events`, { token, signal: left.signal });
  return { status: answer.status, answer, leave: () => left.abort() };
}

describe('with three streams allowed', () => {
  test('a caller gets no fourth one, and one again as soon as a reader has gone', async () => {
    const run = await talk(text('Hi'));
    const readers = [await open(run), await open(run), await open(run)];
    const fourth = await open(run);
    expect(fourth.status).toBe(429);
    expect(fourth.answer.headers.get('retry-after')).toMatch(/^\d+$/);
    expect((await open(run, { token: bob.token })).status).toBe(404);
    readers[0]?.leave();
    await until(async () => {
      const next = await open(run);
      if (next.status === 200) readers.push(next);
      return next.status === 200;
    });
    for (const { leave } of readers) leave();
  });

  test('nothing is left of readers who ask for the head only, hang up at once, or reset', async () => {
    const run = await talk(text('Hi'));
    await idle(run);
    for (let i = 0; i < 10; i++) {
      expect((await gateway.request(`${run}/events`, { method: 'HEAD' })).status).toBe(200);
      const left = new AbortController();
      const asked = gateway.request(`${run}/events`, { signal: left.signal });
      await new Promise((resolve) => setTimeout(resolve, i));
      left.abort();
      await asked.catch(() => undefined);
      const socket = await dial(gateway.url);
      socket.write(`GET ${run}/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`);
      socket.resetAndDestroy();
    }
    await until(async () => {
      const readers = [await open(run), await open(run), await open(run)];
      for (const { leave } of readers) leave();
      return readers.every(({ status }) => status === 200);
    });
  });
});

test('a request that dribbles in is cut off, and holds up no one else', async () => {
  const socket = await dial(gateway.url);
  let answer = '';
  socket.on('data', (data) => {
    answer += data.toString();
  });
  socket.write(
    `POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n`,
  );
  const drip = setInterval(() => socket.write('x'), 100);
  const silent = await dial(gateway.url);
  silent.resume();
  silent.write('GET /v1/me HTTP/1.1\r\nHost: loc');
  expect((await gateway.request('/v1/me')).status).toBe(200);
  await Promise.all([hungUp(socket), hungUp(silent)]);
  clearInterval(drip);
  expect(answer).toMatch(/^(HTTP\/1\.1 408 |$)/);
});

test('an answer that takes longer than the time for silent clients arrives', async () => {
  const run = await talk(async () => {
    await new Promise((resolve) => setTimeout(resolve, 2500));
    return text('Hi');
  });
  expect(await read(gateway.request(`${run}/result?wait=3`))).toMatchObject({
    status: 200,
    body: { status: 'running' },
  });
});

describe('two gateways to the same runs behave as one', () => {
  test('what is sent through one shows at the other, and a stream goes on there', async () => {
    const run = await talk(text('Hi'), text('You too'));
    await idle(run);
    const { facts } = (await state(run)).body;
    const reading = events(gateway.request(`${run}/events`), ({ id }) => Number(id) >= facts);
    const seen = (await reading).filter(({ event }) => event === 'fact');
    const rest = events(
      other.request(`${run}/events`, { headers: { 'last-event-id': String(seen.at(-1)?.id) } }),
      ({ data }) => data.type === 'exchange.end',
    );
    expect(
      (await gateway.request(`${run}/messages`, { json: { text: 'And you?' }, headers: { 'idempotency-key': 'k' } }))
        .status,
    ).toBe(200);
    // A proxy repeats it at the other one.
    expect(
      (await other.request(`${run}/messages`, { json: { text: 'And you?' }, headers: { 'idempotency-key': 'k' } }))
        .status,
    ).toBe(200);
    const facts2 = (await rest).filter(({ event }) => event === 'fact');
    expect([...seen, ...facts2].map(({ id }) => Number(id))).toEqual([...seen, ...facts2].map((_, i) => i + 1));
    expect(JSON.stringify(facts2)).toContain('You too');
    expect(await read(other.request(run))).toEqual(await read(gateway.request(run)));
  });

  test('a chat that one has begun is read to its end at the other, when the first one stops', async () => {
    const first = await serveKit(gateway.kit.client);
    let release = (): void => undefined;
    const until = new Promise<void>((resolve) => {
      release = resolve;
    });
    gateway.kit.model.script(async () => {
      await until;
      return text('Here I am');
    });
    const chat = { id: 'moved', messages: [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Hi' }] }] };
    const begun = events(first.request('/v1/agents/support.desk/chat', { json: chat }));
    await gateway.kit.model.request(1);
    await first.close();
    await begun.catch(() => undefined);
    const stream = await other.request('/v1/agents/support.desk/chat/moved/stream');
    release();
    const rest = events(Promise.resolve(stream));
    const said = (await rest).map(({ data }) => data.delta ?? '').join('');
    expect(said).toBe('Here I am');
  });
});

test('a gateway that stops ends its streams without an error, says that it is not ready, and closes in time', async () => {
  const run = await talk(text('Hi'));
  await idle(run);
  const stopping = createGateway({
    client: gateway.kit.client,
    agents: AGENTS,
    config: gatewayOf(),
    localToken: TOKEN,
    page: null,
  });
  const ask = (path: string) =>
    stopping.fetch(
      new Request(`http://localhost${path}`, { headers: { host: 'localhost', authorization: `Bearer ${TOKEN}` } }),
    );
  expect((await ask('/ready')).status).toBe(200);
  const reading = events(Promise.resolve(ask(`${run}/events`)));
  stopping.drain();
  expect((await reading).filter(({ event }) => event !== 'fact')).toEqual([]);
  expect((await ask('/ready')).status).toBe(503);
  expect((await ask('/health')).status).toBe(200);

  const served = await serveKit(gateway.kit.client);
  const streams = await Promise.all(Array.from({ length: 20 }, () => open(run, { at: served })));
  const waiting = read(served.request(`${run}/result?wait=60`));
  await new Promise((resolve) => setTimeout(resolve, 100));
  const since = performance.now();
  await served.close();
  expect(performance.now() - since).toBeLessThan(5000);
  for (const { answer } of streams) expect(await answer.text()).not.toContain('event: end');
  expect(await waiting).toMatchObject({ status: 200, body: { status: 'running' } });
});

test('more requests than allowed are told when to come back', async () => {
  const busy = await serveKit(gateway.kit.client, {
    config: { keys: [bob.entry], limits: { ...LIMITS, requests: 60 } },
  });
  try {
    const statuses: number[] = [];
    let last: Response | undefined;
    for (let i = 0; i < 65; i++) {
      last = await busy.request('/v1/me', { token: bob.token });
      statuses.push(last.status);
    }
    expect(statuses.slice(0, 60)).toEqual(Array(60).fill(200));
    expect(last?.status).toBe(429);
    expect(last?.headers.get('retry-after')).toBe('1');
    // Others are not slowed down, nor are strangers counted as anybody.
    expect((await busy.request('/v1/me')).status).toBe(200);
    expect((await busy.request('/v1/me', { token: null })).status).toBe(401);
  } finally {
    await busy.close();
  }
});
