import { createServer as createPlain, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecure } from 'node:https';
import type { AddressInfo } from 'node:net';

/** Answers one tool call, correctly or not. `send` writes messages in the form that the client expects. */
export type Fault = (call: {
  id: number;
  /** Number of the call, from 1. */
  count: number;
  request: IncomingMessage;
  response: ServerResponse;
  /** The bytes of a message that may be cut in the middle of its text. */
  result: string;
  /** SSE: the stream for the answers. */
  stream: ServerResponse | undefined;
}) => void;

export interface FaultyServer {
  url: string;
  /** How often a tool was called. */
  readonly calls: number;
  /** How many handshakes there were. */
  readonly sessions: number;
  close(): Promise<void>;
}

const rpc = (message: object) => JSON.stringify({ jsonrpc: '2.0', ...message });
export const event = (data: string) => `event: message\ndata: ${data}\n\n`;

const RESULTS: { readonly [method: string]: object } = {
  initialize: {
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'faulty', version: '1' },
  },
  'tools/list': { tools: [{ name: 'do', inputSchema: { type: 'object' } }] },
};
export const DONE = { content: [{ type: 'text', text: 'done' }] };

interface FaultyOptions {
  /** Over the older transport of 2024. */
  sse?: boolean;
  /** Key and certificate, in one PEM. */
  pem?: string;
  /** The server uses sessions and requires their ids. */
  session?: boolean;
}

/** A server without any SDK that does everything correctly except answering calls. */
export async function faultyServer(
  fault: Fault,
  { sse = false, pem, session = false }: FaultyOptions = {},
): Promise<FaultyServer> {
  let [calls, sessions] = [0, 0];
  let stream: ServerResponse | undefined;
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (request.method === 'GET' && sse) {
      stream = response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('event: endpoint\ndata: /messages\n\n');
      return;
    }
    if (body === '') return void response.writeHead(405).end();
    const { id, method } = JSON.parse(body);
    if (id === undefined) return void response.writeHead(202).end();
    if (method === 'initialize') sessions++;
    if (method === 'tools/call') {
      return fault({ id, count: ++calls, request, response, result: rpc({ id, result: DONE }), stream });
    }
    const result = RESULTS[method];
    const answer = rpc(
      result === undefined ? { id, error: { code: -32601, message: 'No such method' } } : { id, result },
    );
    if (sse) {
      response.writeHead(202).end();
      stream?.write(event(answer));
    } else {
      const known = session ? { 'mcp-session-id': `session-${sessions}` } : {};
      response.writeHead(200, { 'content-type': 'application/json', ...known }).end(answer);
    }
  };
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    // A client that disconnects during its request is not a fault of the server.
    take(request, response).catch(() => response.destroy());
  };
  const server: Server = pem === undefined ? createPlain(handle) : createSecure({ key: pem, cert: pem }, handle);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${pem === undefined ? 'http' : 'https'}://127.0.0.1:${port}/mcp`,
    get calls() {
      return calls;
    },
    get sessions() {
      return sessions;
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
