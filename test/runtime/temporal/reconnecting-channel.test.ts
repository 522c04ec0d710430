import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { Connection } from '@temporalio/client';
import { reconnecting } from '../../../runtime/temporal/reconnecting-channel';
import { Relay } from '../../relay';
import { until } from '../../until';

/** Each request succeeds, with an empty answer. */
const server = createServer().on('stream', (stream) => {
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
  stream.end(Buffer.alloc(5));
});
let relay: Relay;
let connection: Connection;
beforeAll(() => new Promise<void>((done) => server.listen(0, '127.0.0.1', done)));
afterAll(() => server.close());
beforeEach(async () => {
  relay = await Relay.to(`127.0.0.1:${(server.address() as AddressInfo).port}`);
  connection = await connected();
});
afterEach(async () => {
  await connection.close();
  await relay.refuse();
});

function connected(): Promise<Connection> {
  const channelArgs = reconnecting(300) as object;
  // Without the client's own interceptor, it repeats nothing.
  return Connection.connect({ address: relay.address, channelArgs, interceptors: [] });
}

const ask = (time: number) =>
  connection.withDeadline(Date.now() + time, () => connection.workflowService.getSystemInfo({}));

const isAnswered = () =>
  ask(500).then(
    () => true,
    () => false,
  );

/** Asks until so many connections were accepted in silence. */
async function askIntoSilence(connections: number): Promise<void> {
  await until(async () => {
    await ask(100).catch(() => undefined);
    return relay.silent >= connections;
  }, `${connections} silent connections`);
}

it('gives up a connection that was accepted and then says nothing', async () => {
  await relay.fallSilent();
  await askIntoSilence(1);
  await relay.open();
  await until(isAnswered, 'an answer of the server that is back');
});

it('the same after attempts that were refused', async () => {
  await relay.refuse();
  await expect(ask(5000)).rejects.toMatchObject({ code: 14 });
  await relay.fallSilent();
  await askIntoSilence(1);
  await relay.open();
  await until(isAnswered, 'an answer of the server that is back');
});

it('waits twice as long from one attempt to the next', async () => {
  const start = performance.now();
  await relay.fallSilent();
  await askIntoSilence(4);
  expect(performance.now() - start).toBeGreaterThanOrEqual(300 + 600 + 1200);
});

it('leaves a connection alone that answers', async () => {
  for (const end = Date.now() + 700; Date.now() < end; ) await ask(5000);
  expect(relay.connections).toBe(1);
});

it('a closed connection takes no more requests', async () => {
  const closed = await connected();
  await closed.close();
  await expect(closed.workflowService.getSystemInfo({})).rejects.toThrow();
});
