import { callMcpTool, type McpCallResult } from '../../../../activities/mcp/call-tool';
import { McpConnections } from '../../../../activities/mcp/connections';
import { specOf } from '../servers';
import { DONE, event, type Fault, type FaultyServer, faultyServer } from './faulty-http-server';

/** The faults of faulty-server.test.ts, and those of a network, over HTTP. */

const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of closing.splice(0)) await each.close();
});

interface Called {
  result: McpCallResult;
  server: FaultyServer;
}

async function called(
  fault: Fault,
  { timeout = 20_000, ...options }: { timeout?: number; sse?: boolean; session?: boolean } = {},
): Promise<Called> {
  const server = await faultyServer(fault, options);
  const connections = new McpConnections();
  closing.push(connections, server);
  const definition = { url: server.url, ...(options.sse ? { transport: 'sse' as const } : {}) };
  const spec = await specOf(connections, definition, 'do', { timeout });
  const { signal } = new AbortController();
  return { result: await callMcpTool(connections, definition, spec, {}, { signal }), server };
}

const head = { json: { 'content-type': 'application/json' }, events: { 'content-type': 'text/event-stream' } };
const half = (text: string) => text.slice(0, text.length / 2);
const status =
  (code: number, body = '{"error":{"message":"not now"}}', headers: object = head.json): Fault =>
  ({ response }) =>
    void response.writeHead(code, headers as never).end(body);

/** What the model reads, and whether it is left open that the call took effect. */
type Row = [what: string, fault: Fault, error: { type: string; says: RegExp }, unknown: boolean, timeout?: number];

const lost = (says: RegExp) => ({ type: 'McpServerFailed', says });
const late = { type: 'ToolTimedOut', says: /^`s\.do` did not answer in 0\.3 s\.$/ };

const rows: Row[] = [
  ['no answer', () => {}, late, true, 300],
  [
    'a head that never ends',
    ({ response }) => {
      response.socket?.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => response.socket?.write('x-more: y\r\n'), 20);
      response.socket?.once('close', () => clearInterval(timer));
    },
    late,
    true,
    300,
  ],
  ['a head and no answer', ({ response }) => void response.writeHead(200, head.events).flushHeaders(), late, true, 300],
  [
    'an answer to what nobody asked',
    ({ response, id }) =>
      void response.writeHead(200, head.json).end(JSON.stringify({ jsonrpc: '2.0', id: id + 4711, result: DONE })),
    late,
    true,
    300,
  ],
  [
    'events without an end that say nothing',
    ({ response }) => {
      response.writeHead(200, head.events);
      const timer = setInterval(() => response.write(': still here\n\n'), 5);
      response.once('close', () => clearInterval(timer));
    },
    late,
    true,
    300,
  ],
  [
    'a connection that is cut at once',
    ({ request }) => void request.socket.destroy(),
    lost(/the connection (broke|was cut)/),
    true,
  ],
  [
    'JSON that is cut',
    ({ response, result }) => {
      response
        .writeHead(200, { ...head.json, 'content-length': result.length })
        .write(half(result), () => response.destroy());
    },
    lost(/the connection (broke|was cut)/),
    true,
  ],
  [
    'an event that is cut',
    ({ response, result }) => {
      response.writeHead(200, head.events).write(half(event(result)), () => response.destroy());
    },
    lost(/the connection was cut/),
    true,
  ],
  [
    'events that end without an answer',
    ({ response }) => void response.writeHead(200, head.events).end(': bye\n\n'),
    lost(/the connection was cut/),
    true,
  ],
  [
    'JSON that ends half way',
    ({ response, result }) => void response.writeHead(200, head.json).end(half(result)),
    lost(/answered what is no result/),
    true,
  ],
  [
    'an event that is no JSON',
    ({ response }) => void response.writeHead(200, head.events).end(event('{"half":')),
    lost(/the connection was cut/),
    true,
  ],
  [
    'a page',
    status(200, '<h1>Welcome</h1>', { 'content-type': 'text/html' }),
    lost(/it answers with text\/html, which is no MCP/),
    true,
  ],
  ['no content type', status(200, 'hello', {}), lost(/it answers with no content type/), true],
  [
    'a result without content',
    ({ response, id }) =>
      void response.writeHead(200, head.json).end(JSON.stringify({ jsonrpc: '2.0', id, result: { content: 'none' } })),
    lost(/answered what is no result/),
    true,
  ],
  ['accepted without an answer', status(202, '', {}), late, true, 300],
  [
    'an answer without an end',
    ({ response }) => {
      response.writeHead(200, head.json).write('{"jsonrpc":"2.0","result":"');
      const chunk = 'x'.repeat(1024 * 1024);
      const more = () => void response.write(chunk, (error) => error ?? more());
      more();
    },
    lost(/an answer of more than 32 MB/),
    true,
  ],
  [
    'an answer of too many values',
    ({ response }) => void response.writeHead(200, head.json).end(`{"result":[${'0,'.repeat(2_000_000)}0]}`),
    lost(/an answer of more than 100000 values/),
    true,
  ],
  [
    'an event of too many values',
    ({ response }) => void response.writeHead(200, head.events).end(`data: {"a":[${'{},'.repeat(200_000)}0]}\n\n`),
    lost(/./),
    true,
  ],
  [
    'an event without an end',
    ({ response }) => {
      response.writeHead(200, head.events).write('data: ');
      const chunk = 'x'.repeat(1024 * 1024);
      const more = () => void response.write(chunk, (error) => error ?? more());
      more();
    },
    lost(/./),
    true,
  ],
  ...[500, 502, 503, 504].map(
    (code): Row => [`HTTP ${code}`, status(code), lost(new RegExp(`HTTP ${code}: not now`)), true],
  ),
  ...[400, 401, 403, 405, 413, 429].map(
    (code): Row => [
      `HTTP ${code}`,
      status(code),
      lost(new RegExp(`did not reach the MCP server \`s\`: HTTP ${code}: not now`)),
      false,
    ],
  ),
];

test.each(rows)('over Streamable HTTP: %s', async (...[, fault, { type, says }, unknown, timeout]: Row) => {
  const { result, server } = await called(fault, timeout === undefined ? {} : { timeout });
  expect(result.error).toMatchObject({ type, message: expect.stringMatching(says) });
  expect(result.error?.message).not.toMatch(/\n|Welcome/);
  expect(result.unknown ?? false).toBe(unknown);
  // Nothing is called twice on its own account.
  expect(server.calls).toBe(1);
});

test('a session that is lost before the call is replaced, and the call is made in the new one', async () => {
  const { result, server } = await called(
    ({ count, response, result }) => {
      if (count === 1) response.writeHead(404, head.json).end('{"error":{"message":"Session not found"}}');
      else response.writeHead(200, head.json).end(result);
    },
    { session: true },
  );
  expect(result).toEqual(DONE);
  expect({ calls: server.calls, sessions: server.sessions }).toEqual({ calls: 2, sessions: 2 });
});

test('a session that is lost while the call is worked on leaves the outcome unknown, and the call is not made again', async () => {
  const { result, server } = await called(
    ({ response }) => {
      response.writeHead(200, head.events);
      response.write(`id: 1\n${event('{"jsonrpc":"2.0","method":"notifications/message"}')}`, () => response.destroy());
    },
    { session: true },
  );
  expect(result).toMatchObject({ error: { type: 'McpServerFailed' }, unknown: true });
  expect(server.calls).toBe(1);
});

const overSse: Row[] = [
  ['no answer', ({ response }) => void response.writeHead(202).end(), late, true, 300],
  ['a message that is never taken', () => {}, late, true, 300],
  [
    'a stream that is cut',
    ({ response, stream }) => void response.writeHead(202).end(() => stream?.destroy()),
    lost(/ended during the call/),
    true,
  ],
  [
    'a stream that is cut half way',
    ({ response, stream, result }) => {
      response.writeHead(202).end();
      stream?.write(half(event(result)), () => stream.destroy());
    },
    lost(/ended during the call/),
    true,
  ],
  [
    'an event that is no JSON',
    ({ response, stream }) => {
      response.writeHead(202).end();
      stream?.write(event('{"half":'));
    },
    late,
    true,
    300,
  ],
  [
    'a message whose connection is cut',
    ({ request }) => void request.socket.destroy(),
    lost(/the connection (broke|was cut)/),
    true,
  ],
  ...[500, 502].map((code): Row => [`HTTP ${code}`, status(code), lost(new RegExp(`HTTP ${code}`)), true]),
  ...[401, 429].map(
    (code): Row => [
      `HTTP ${code}`,
      status(code),
      lost(new RegExp(`did not reach the MCP server \`s\`: HTTP ${code}`)),
      false,
    ],
  ),
];

test.each(overSse)('over SSE: %s', async (...[, fault, { type, says }, unknown, timeout]: Row) => {
  const { result, server } = await called(fault, { sse: true, ...(timeout === undefined ? {} : { timeout }) });
  expect(result.error).toMatchObject({ type, message: expect.stringMatching(says) });
  expect(result.error?.message).not.toContain('\n');
  expect(result.unknown ?? false).toBe(unknown);
  expect(server.calls).toBe(1);
});
