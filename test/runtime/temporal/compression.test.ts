import { createServer, type Http2Server, type IncomingHttpHeaders } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { compression, connectNative } from '../../../runtime/temporal/native-connection';
import { MODEL, YamlFolder } from '../config/yaml-folder';

const yaml = new YamlFolder();

/** A server that answers each call with an empty message and keeps the headers of the calls. */
const calls: IncomingHttpHeaders[] = [];
let server: Http2Server;
let address: string;
beforeAll(async () => {
  server = createServer();
  server.on('stream', (stream, headers) => {
    calls.push(headers);
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.end(Buffer.alloc(5));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

it.each([
  ['without a setting', '', undefined],
  ['with `none`', 'compression: none', undefined],
  ['with `gzip`', 'compression: gzip', 'gzip'],
])(
  'a worker on the machine of its server, %s, sends its calls with the encoding that is set',
  async (_, set, encoding) => {
    calls.length = 0;
    const config = await yaml.load(`temporal: {address: '${address}', ${set}}\n${MODEL}`);
    const connection = await connectNative(config);
    await connection.close();
    expect(calls.length).toBeGreaterThan(0);
    expect(calls.map((headers) => headers['grpc-encoding'])).toEqual(calls.map(() => encoding));
  },
);

it.each([
  ['localhost:7233', 'none'],
  ['[::1]:7233', 'none'],
  ['temporal.internal:7233', 'gzip'],
  ['prod.a1b2c.tmprl.cloud:7233', 'gzip'],
])('the default for a server at %s is %s, and a setting replaces it', (at, codec) => {
  const temporal = { address: at, namespace: 'default', taskQueue: 'holdfast' };
  expect(compression(temporal)).toEqual({ codec });
  expect(compression({ ...temporal, compression: 'gzip' })).toEqual({ codec: 'gzip' });
  expect(compression({ ...temporal, compression: 'none' })).toEqual({ codec: 'none' });
});

it('another word is refused with its place', async () => {
  expect(await yaml.wrong(`temporal: {compression: zstd}\n${MODEL}`)).toContain('Expected `gzip` or `none`');
});
