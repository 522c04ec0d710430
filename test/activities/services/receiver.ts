import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

type QuestionAnswer =
  | number
  | [status: number, headers: { [name: string]: string }]
  | ((response: ServerResponse) => void);

/** A server that receives webhooks: it sends these replies in turn, then 204. */
export async function receiver(...replies: QuestionAnswer[]) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url: path = '', headers } = request;
    received.push({ method, path, headers, body: Buffer.concat(chunks).toString() });
    const reply = replies.shift() ?? 204;
    if (typeof reply === 'function') return reply(response);
    const [status, more] = typeof reply === 'number' ? [reply, {}] : reply;
    // Some servers repeat what they received.
    response.writeHead(status, more).end(status === 204 ? undefined : JSON.stringify(headers));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    /** The request with this number. */
    request(number: number): Received {
      const one = received[number - 1];
      if (one === undefined) throw new Error(`There was no request ${number}`);
      return one;
    },
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    received,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
