import { createServer, type Http2Server } from 'node:http2';

/** A server that answers each method with a status of gRPC; without one, with an empty message. */
export function answering(statuses: { readonly [method: string]: number }): Http2Server {
  const server = createServer();
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {});
    const status = statuses[String(headers[':path']).split('/').at(-1) ?? ''] ?? 0;
    const about = { ':status': 200, 'content-type': 'application/grpc' };
    if (status !== 0) {
      stream.respond({ ...about, 'grpc-status': String(status), 'grpc-message': 'no' }, { endStream: true });
      return;
    }
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.respond(about, { waitForTrailers: true });
    stream.end(Buffer.alloc(5));
  });
  return server;
}
