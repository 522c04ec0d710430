import { broken, called, expectFault, half, head, type Row, refused, silent, status } from './faulty-call';
import { DONE, event } from './faulty-http-server';

/** The faults of faulty-server.test.ts, and those of a network, over Streamable HTTP. */

const rows: Row[] = [
  silent('no answer', () => {}),
  silent('a head that never ends', ({ response }) => {
    response.socket?.write('HTTP/1.1 200 OK\r\n');
    const timer = setInterval(() => response.socket?.write('x-more: y\r\n'), 20);
    response.socket?.once('close', () => clearInterval(timer));
  }),
  silent('a head and no answer', ({ response }) => void response.writeHead(200, head.events).flushHeaders()),
  broken(
    'an unsolicited answer',
    ({ response, id }) =>
      void response.writeHead(200, head.json).end(JSON.stringify({ jsonrpc: '2.0', id: id + 4711, result: DONE })),
    /answered with an invalid result: it sent `/,
  ),
  silent('events without an end that say nothing', ({ response }) => {
    response.writeHead(200, head.events);
    const timer = setInterval(() => response.write(': still here\n\n'), 5);
    response.once('close', () => clearInterval(timer));
  }),
  broken(
    'a connection that is cut at once',
    ({ request }) => void request.socket.destroy(),
    /the connection (broke|was cut)/,
  ),
  broken(
    'JSON that is cut',
    ({ response, result }) => {
      response
        .writeHead(200, { ...head.json, 'content-length': result.length })
        .write(half(result), () => response.destroy());
    },
    /the connection (broke|was cut)/,
  ),
  broken(
    'an event that is cut',
    ({ response, result }) => {
      response.writeHead(200, head.events).write(half(event(result)), () => response.destroy());
    },
    /the connection was cut/,
  ),
  broken(
    'events that end without an answer',
    ({ response }) => void response.writeHead(200, head.events).end(': bye\n\n'),
    /the connection was cut/,
  ),
  broken(
    'JSON that ends half way',
    ({ response, result }) => void response.writeHead(200, head.json).end(half(result)),
    /answered with an invalid result/,
  ),
  broken(
    'an event that is not JSON',
    ({ response }) => void response.writeHead(200, head.events).end(event('{"half":')),
    /answered with an invalid result: it sent `\{"half":`/,
  ),
  broken(
    'a page',
    status(200, '<h1>Welcome</h1>', { 'content-type': 'text/html' }),
    /it answers with text\/html, which is not MCP/,
  ),
  broken('no content type', status(200, 'hello', {}), /it answers with no content type/),
  broken(
    'no result',
    ({ response, id }) =>
      void response.writeHead(200, head.json).end(JSON.stringify({ jsonrpc: '2.0', id, result: null })),
    /answered with an invalid result/,
  ),
  broken('accepted without an answer', status(202, '', {}), /invalid result: it sent `HTTP 202 without an answer`/),
  broken(
    'an answer without an end',
    ({ response }) => {
      response.writeHead(200, head.json).write('{"jsonrpc":"2.0","result":"');
      const chunk = 'x'.repeat(1024 * 1024);
      const more = () => void response.write(chunk, (error) => error ?? more());
      more();
    },
    /an answer of more than 32 MB/,
  ),
  broken(
    'an answer of too many values',
    ({ response }) => void response.writeHead(200, head.json).end(`{"result":[${'0,'.repeat(2_000_000)}0]}`),
    /an answer of more than 100000 values/,
  ),
  broken(
    'an event of too many values',
    ({ response }) => void response.writeHead(200, head.events).end(`data: {"a":[${'{},'.repeat(200_000)}0]}\n\n`),
    /./,
  ),
  broken(
    'an event without an end',
    ({ response }) => {
      response.writeHead(200, head.events).write('data: ');
      const chunk = 'x'.repeat(1024 * 1024);
      const more = () => void response.write(chunk, (error) => error ?? more());
      more();
    },
    /./,
  ),
  ...[500, 502, 503, 504].map((code) => broken(`HTTP ${code}`, status(code), new RegExp(`HTTP ${code}: not now`))),
  ...[400, 401, 403, 405, 413, 429].map((code) => refused(code, ': not now')),
];

test.each(rows)('over Streamable HTTP: %s', (...row) => expectFault(row));

test('a session lost before the call is replaced, and the call is made in the new one', async () => {
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

test('a session lost during the call leaves the outcome unknown, and the call is not made again', async () => {
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
