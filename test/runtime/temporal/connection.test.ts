import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { connect } from '../../../runtime/temporal/connection';
import { connectNative } from '../../../runtime/temporal/native-connection';

const sockets: Socket[] = [];
// A pending request ends only with its socket.
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

const config = (address: string) => ({ temporal: { address, namespace: 'default', taskQueue: 'holdfast' } });

async function listening(): Promise<{ server: Server; address: string }> {
  const server = createServer((socket) => sockets.push(socket));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { server, address: `127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describe.each([
  ['client', connect],
  ['worker', connectNative],
] as const)('the connection of a %s', (_what, open) => {
  it('fails soon where nothing listens, and names the address', async () => {
    const { server, address } = await listening();
    await new Promise((done) => server.close(done));
    const started = Date.now();
    await expect(open(config(address))).rejects.toMatchObject({
      type: 'NoServer',
      data: { address },
      message: expect.stringContaining('holdfast dev'),
    });
    expect(Date.now() - started).toBeLessThan(2000);
  });

  it('fails soon where something listens that never answers', async () => {
    const { server, address } = await listening();
    const started = Date.now();
    await expect(open(config(address))).rejects.toMatchObject({ type: 'NoServer' });
    expect(Date.now() - started).toBeLessThan(8000);
    server.close();
  });
});
