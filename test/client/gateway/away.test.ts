import { text } from 'holdfast/testing';
import { type GatewayKit, read, startGatewayKit } from './kit';
import { until } from './until';

let gateway: GatewayKit;
beforeAll(async () => {
  gateway = await startGatewayKit({}, { workerTimeout: 1000 });
});
afterAll(() => gateway.close());

const NEEDS_WORKER: [method: string, path: string, json?: unknown][] = [
  ['GET', ''],
  ['GET', '/transcript'],
  ['GET', '/waiting'],
  ['GET', '/ui-messages'],
  ['GET', '/chat/x/stream'],
  ['POST', '/messages', { text: 'x' }],
  ['POST', '/calls/t1.1/approve', {}],
  ['POST', '/interrupt'],
  ['POST', '/undo', {}],
  ['POST', '/chat', { id: 'c', messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'x' }] }] }],
];

async function timed(path: string, init: object = {}) {
  const since = performance.now();
  const answer = await gateway.request(path, init);
  const { status, body } = await read<{ error?: { type: string } }>(Promise.resolve(answer));
  return {
    status,
    type: body?.error?.type,
    retry: answer.headers.get('retry-after'),
    seconds: (performance.now() - since) / 1000,
  };
}

test('without a worker, and without a server, every request is answered in time', async () => {
  gateway.kit.model.script(text('Hi'));
  const { body } = await read<{ id: string }>(
    gateway.request('/v1/runs', { json: { agent: 'support.desk', input: 'Hello' } }),
  );
  const run = `/v1/runs/${body.id}`;
  await until(async () => (await read<{ idle: boolean }>(gateway.request(run))).body.idle);

  await gateway.kit.stopWorker();
  for (const [method, path, json] of NEEDS_WORKER) {
    const answer = await timed(`${run}${path}`, { ...(json === undefined ? {} : { json }), method });
    expect({ path, ...answer }).toMatchObject({ path, status: 503, type: 'NoWorker', retry: '2' });
    expect(answer.seconds).toBeLessThan(15);
  }
  // What needs none goes on.
  expect(await timed('/v1/runs')).toMatchObject({ status: 200 });
  expect(await timed('/v1/waiting')).toMatchObject({ status: 200 });
  expect(await timed(`${run}/result`)).toMatchObject({ status: 200 });
  expect(await timed('/v1/runs', { json: { agent: 'support.desk', input: 'Later' } })).toMatchObject({ status: 201 });
  expect(await timed('/ready')).toMatchObject({ status: 200 });

  // The connection of the gateway finds nobody any more.
  await gateway.kit.close();
  for (const path of [
    '/v1/runs',
    '/v1/waiting',
    '/v1/runs/local:other',
    `${run}`,
    `${run}/result`,
    `${run}/transcript`,
  ]) {
    const answer = await timed(path);
    expect({ path, ...answer }).toMatchObject({ path, status: 503 });
    expect(answer.seconds).toBeLessThan(25);
  }
  expect(await timed('/v1/info')).toMatchObject({ status: 200 });
  expect(await timed('/ready')).toMatchObject({ status: 503 });
  expect(await timed(`${run}/messages`, { json: { text: 'x' } })).toMatchObject({ status: 503 });
}, 240_000);
