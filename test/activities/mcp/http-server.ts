import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { type EventStore, StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

type Answer = { content: object[]; isError?: boolean };
type Tool = (call: Call) => Answer | Promise<Answer>;
interface Call {
  signal: AbortSignal;
  /** The contents of `_meta`. */
  meta?: { readonly [name: string]: unknown } | undefined;
  progress(params: { progress: number; total?: number; message?: string }): Promise<void>;
}

export interface Listening {
  url: string;
  close(): Promise<void>;
}

/** A Node server on a free port. */
export async function listen(handler: RequestListener): Promise<Listening> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export const text = (value: string) => ({ type: 'text' as const, text: value });

/** An MCP server over Streamable HTTP, made with the 1.x SDK, whose connections and sessions tests can break. */
export async function listenMcp(
  tools: { [name: string]: Tool },
  { resumable = false, json = false, onRequest = (_rpc?: string) => {} } = {},
) {
  const requests: { method: string; rpc?: string; headers: IncomingMessage['headers'] }[] = [];
  const sessions = new Map<string, { transport: StreamableHTTPServerTransport; server: Server }>();
  const streams = new Set<ServerResponse>();

  async function newSession(): Promise<StreamableHTTPServerTransport> {
    const server = mcpServer(tools);
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse: json,
      onsessioninitialized: (id) => void sessions.set(id, { transport, server }),
      ...(resumable ? { eventStore: new MemoryEvents(), retryInterval: 20 } : {}),
    });
    await server.connect(transport as never);
    return transport;
  }

  const { url, close } = await listen(async (request, response) => {
    const body = await bodyOf(request);
    const { method = '', headers } = request;
    requests.push({ method, headers, ...(body === undefined ? {} : { rpc: body.method }) });
    onRequest(body?.method);
    const id = headers['mcp-session-id'] as string | undefined;
    const session = id === undefined ? { transport: await newSession() } : sessions.get(id);
    if (session === undefined) {
      const error = { code: -32001, message: 'Session not found' };
      response.writeHead(404, { 'content-type': 'application/json' });
      return void response.end(JSON.stringify({ jsonrpc: '2.0', error, id: null }));
    }
    streams.add(response);
    response.once('close', () => streams.delete(response));
    await session.transport.handleRequest(request, response, body);
  });

  return {
    url,
    close,
    requests,
    /** How often an MCP method was called. */
    count: (rpc: string) => requests.filter((request) => request.rpc === rpc).length,
    forgetSessions: () => sessions.clear(),
    /** Ends every open connection, in the middle of its traffic. */
    cutStreams: () => {
      for (const stream of streams) stream.destroy();
    },
    notify: (method: string) =>
      Promise.all([...sessions.values()].map(({ server }) => server.notification({ method }))),
  };
}

function mcpServer(tools: { [name: string]: Tool }): Server {
  const server = new Server({ name: 'http', version: '1' }, { capabilities: { tools: { listChanged: true } } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: Object.keys(tools).map((name) => ({ name, inputSchema: { type: 'object' } })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, sendNotification, _meta }) => {
    const progressToken = _meta?.progressToken ?? '';
    const progress: Call['progress'] = (said) =>
      sendNotification({ method: 'notifications/progress', params: { progressToken, ...said } });
    return (await tools[params.name]?.({ signal, progress, meta: _meta })) as never;
  });
  return server;
}

async function bodyOf(request: IncomingMessage) {
  let body = '';
  for await (const chunk of request) body += chunk;
  return body === '' ? undefined : JSON.parse(body);
}

class MemoryEvents implements EventStore {
  readonly #events: { id: string; stream: string; message: never }[] = [];

  async storeEvent(stream: string, message: unknown): Promise<string> {
    const id = `${stream}/${this.#events.length}`;
    this.#events.push({ id, stream, message: message as never });
    return id;
  }

  async replayEventsAfter(last: string, { send }: { send(id: string, message: never): Promise<void> }) {
    const from = this.#events.findIndex(({ id }) => id === last);
    const stream = this.#events[from]?.stream ?? '';
    for (const event of this.#events.slice(from + 1)) {
      if (event.stream === stream) await send(event.id, event.message);
    }
    return stream;
  }
}
