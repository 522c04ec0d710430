import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { connect } from '../../../runtime/temporal/connection';

const UNAVAILABLE = '14';

it('a request that is repeated over a closed connection throws nothing out of its timer', async () => {
  // A server that answers the first request, with which the client connects, and is unavailable from then on.
  let requests = 0;
  const server = createServer().on('stream', (stream) => {
    const isFirst = ++requests === 1;
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': isFirst ? '0' : UNAVAILABLE }));
    stream.end(isFirst ? Buffer.alloc(5) : undefined);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const connection = await connect({ temporal: { address, namespace: 'default', taskQueue: 'q' } });
  const thrown: unknown[] = [];
  const note = (error: unknown) => thrown.push(error);
  process.on('uncaughtException', note);
  const left = connection.workflowService.getSystemInfo({}).catch((error: Error) => error.message);
  while (requests < 2) await delay(5);
  await connection.close();
  expect(await left).toContain('The connection is closed');
  expect(thrown).toEqual([]);
  process.off('uncaughtException', note);
  server.close();
});
