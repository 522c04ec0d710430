import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HoldfastError } from 'holdfast/client';

/** A POST with its raw body, since the signature covers the bytes. */
export interface Post {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Errors of the sender, for which sending again does not help. */
const STATUS: { [type: string]: number } = {
  InvalidSignature: 401,
  InvalidEvent: 400,
  RunNotFound: 404,
  RunEnded: 410,
};

/** A server on 127.0.0.1 that answers 202 if `take` succeeds. */
export async function listen(take: (post: Post) => void | Promise<void>) {
  const server = createServer(async (request, response) => {
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      await take({ headers: request.headers, body: Buffer.concat(chunks) });
      response.writeHead(202).end();
    } catch (error) {
      const status = error instanceof HoldfastError ? STATUS[error.type] : undefined;
      response.writeHead(status ?? 500).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close() };
}
