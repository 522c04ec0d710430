import { setTimeout } from 'node:timers/promises';
import { Client, type Connection } from '@temporalio/client';
import { AgentClient } from 'holdfast/client';
import { text } from 'holdfast/testing';
import { connect } from '../../../runtime/temporal/connection';
import { type GatewayKit, read, type ServedKit, serveKit, startGatewayKit } from './kit';
import { until } from './until';

let gateway: GatewayKit;
beforeAll(async () => {
  gateway = await startGatewayKit({}, { workerTimeout: 1000 });
});

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

async function timed(path: string, init: object = {}, at: ServedKit = gateway) {
  const since = performance.now();
  const answer = await at.request(path, init);
  const { status, body } = await read<{ error?: { type: string } }>(Promise.resolve(answer));
  return {
    status,
    type: body?.error?.type,
    retry: answer.headers.get('retry-after'),
    seconds: (performance.now() - since) / 1000,
  };
}

test('a stream goes on when a worker is back, and names no error', async () => {
  gateway.kit.model.script(text('Hi'));
  const { body } = await read<{ id: string }>(
    gateway.request('/v1/runs', { json: { agent: 'support.desk', input: 'Hello' } }),
  );
  let heard = '';
  const left = new AbortController();
  const stream = await gateway.request(`/v1/runs/${body.id}/events?deltas=false`, { signal: left.signal });
  const reading = (async () => {
    for await (const bytes of stream.body ?? []) heard += Buffer.from(bytes).toString();
  })().catch(() => undefined);
  await until(() => heard.includes('exchange.end'));

  await gateway.kit.stopWorker();
  await gateway.kit.client.temporal.workflow.getHandle(body.id).signal('unknown');
  await setTimeout(5000);
  await gateway.kit.startWorker();
  gateway.kit.model.script(text('Again'));
  await read(gateway.request(`/v1/runs/${body.id}/messages`, { json: { text: 'Hello?' } }));
  await until(() => heard.includes('Again'));
  expect(heard).not.toContain('event: error');
  left.abort();
  await reading;
}, 60_000);

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

  // The connection of this gateway is its own: it no longer finds anyone.
  const { address } = (gateway.kit.client.temporal.connection as Connection).options;
  const connection = await connect({ temporal: { address, namespace: 'default', taskQueue: gateway.kit.taskQueue } });
  const client = new AgentClient(new Client({ connection }), { taskQueue: gateway.kit.taskQueue });
  const alone = await serveKit(client, { workerTimeout: 1000 });
  expect(await timed(`${run}/result`, {}, alone)).toMatchObject({ status: 200 });
  await gateway.close();
  for (const path of [
    '/v1/runs',
    '/v1/waiting',
    '/v1/runs/local:other',
    `${run}`,
    `${run}/result`,
    `${run}/transcript`,
  ]) {
    const answer = await timed(path, {}, alone);
    expect({ path, ...answer }).toMatchObject({ path, status: 503 });
    expect(answer.seconds).toBeLessThan(25);
  }
  expect(await timed('/v1/info', {}, alone)).toMatchObject({ status: 200 });
  expect(await timed('/ready', {}, alone)).toMatchObject({ status: 503 });
  expect(await timed(`${run}/messages`, { json: { text: 'x' } }, alone)).toMatchObject({ status: 503 });
  await alone.close();
  await connection.close();
}, 240_000);
