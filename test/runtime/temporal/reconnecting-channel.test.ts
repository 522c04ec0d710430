import { createServer as createHttp2Server } from 'node:http2';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Connection } from '@temporalio/client';
import { reconnecting } from '../../../runtime/temporal/reconnecting-channel';
import { until } from '../../until';

/** A proxy in front of a server: it passes connections on, accepts them and says nothing, or is not there. */
class Relay {
  connections = 0;
  /** Those that it has accepted and does not answer. */
  silent = 0;
  #isSilent = false;
  readonly #sockets = new Set<Socket>();
  readonly #server = createHttp2Server().on('stream', (stream) => {
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.end(Buffer.alloc(5));
  });
  readonly #proxy = createServer((socket) => {
    this.connections++;
    this.#sockets.add(socket.on('error', () => {}));
    if (this.#isSilent) this.silent++;
    else this.#server.emit('connection', socket);
  });
  port = 0;

  async passOn(): Promise<void> {
    this.#isSilent = false;
    await this.#listen();
  }

  /** Those that are open are lost. */
  async fallSilent(): Promise<void> {
    this.#isSilent = true;
    this.#dropAll();
    await this.#listen();
  }

  async leave(): Promise<void> {
    this.#dropAll();
    await new Promise((done) => this.#proxy.close(done));
  }

  #dropAll(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }

  async #listen(): Promise<void> {
    if (this.#proxy.listening) return;
    await new Promise<void>((done) => this.#proxy.listen(this.port, '127.0.0.1', done));
    this.port = (this.#proxy.address() as AddressInfo).port;
  }
}

let relay: Relay;
let connection: Connection;
beforeEach(async () => {
  relay = new Relay();
  await relay.passOn();
  const channelArgs = reconnecting(300) as object;
  // Without its interceptor, the client repeats nothing.
  connection = await Connection.connect({ address: `127.0.0.1:${relay.port}`, channelArgs, interceptors: [] });
});
afterEach(async () => {
  await connection.close();
  await relay.leave();
});

const ask = (time: number) =>
  connection.withDeadline(Date.now() + time, () => connection.workflowService.getSystemInfo({}));

const isAnswered = () =>
  ask(500).then(
    () => true,
    () => false,
  );

/** Asks until the proxy has accepted so many connections in silence. */
async function askIntoSilence(connections: number): Promise<void> {
  await until(async () => {
    await ask(100).catch(() => undefined);
    return relay.silent >= connections;
  }, `${connections} silent connections`);
}

it('gives up a connection that was accepted and then says nothing', async () => {
  await relay.fallSilent();
  await askIntoSilence(1);
  await relay.passOn();
  await until(isAnswered, 'an answer of the server that is back');
});

it('the same after attempts that were refused', async () => {
  await relay.leave();
  await expect(ask(5000)).rejects.toMatchObject({ code: 14 });
  await relay.fallSilent();
  await askIntoSilence(1);
  await relay.passOn();
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
  const closed = await Connection.connect({
    address: `127.0.0.1:${relay.port}`,
    channelArgs: reconnecting(300) as object,
  });
  await closed.close();
  await expect(closed.workflowService.getSystemInfo({})).rejects.toThrow();
});
