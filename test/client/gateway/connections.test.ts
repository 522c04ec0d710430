import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Connections } from '../../../client/gateway/connections';
import { dial } from './guard/raw-http';
import { until } from './until';

const IDLE = 300;
/** More than the kernel takes for a reader that reads nothing. */
const MUCH = Buffer.alloc(50_000_000);

let server: Server;
let connections: Connections;
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

async function serve(answer: (response: ServerResponse) => void, idle = IDLE): Promise<string> {
  server = createServer((_, response) => answer(response));
  connections = new Connections(server, { idle });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A reader that asks, and reads nothing. */
async function silent(url: string) {
  const socket = await dial(url);
  socket.pause();
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  return socket;
}

test('a stream whose reader takes nothing is cut off in time', async () => {
  let answer: ServerResponse | undefined;
  const url = await serve((response) => {
    answer = response;
    response.write(MUCH);
  });
  const socket = await silent(url);
  await until(() => answer?.destroyed === true);
  socket.destroy();
});

test('a complete answer has longer, and is cut off then', async () => {
  let answer: ServerResponse | undefined;
  let since = 0;
  const url = await serve((response) => {
    answer = response;
    since = performance.now();
    response.end(MUCH);
  });
  const socket = await silent(url);
  await until(() => answer?.destroyed === true);
  expect(performance.now() - since).toBeGreaterThan(3.5 * IDLE);
  socket.destroy();
});

test('a stream that says nothing for longer, and an answer that is not begun, are left alone', async () => {
  const url = await serve((response) => {
    if (response.req.url === '/stream') response.write('begin ');
    setTimeout(() => response.end('end'), 5 * IDLE);
  });
  const [stream, late] = await Promise.all([fetch(`${url}/stream`), fetch(url)]);
  expect([await stream.text(), await late.text()]).toEqual(['begin end', 'end']);
});

test('an answer behind another one is not cut off because it waits', async () => {
  let asked = 0;
  const url = await serve((response) => {
    const body = `answer ${++asked}`;
    if (asked === 1) setTimeout(() => response.end(body), 6 * IDLE);
    else response.end(body);
  });
  const socket = await dial(url);
  let heard = '';
  socket.on('data', (data) => {
    heard += data.toString();
  });
  socket.write('GET /1 HTTP/1.1\r\nHost: localhost\r\n\r\nGET /2 HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await until(() => heard.includes('answer 2'));
  expect(heard).toContain('answer 1');
  socket.destroy();
});

test('when the server ends, a stream that is not read is cut off soon', async () => {
  let stream: ServerResponse | undefined;
  const url = await serve((response) => {
    stream = response;
    connections.noteStream(response);
    response.write(MUCH);
  }, 60_000);
  const socket = await silent(url);
  await until(() => stream !== undefined);
  const closed = once(server, 'close');
  server.close();
  connections.end();
  await closed;
  await until(() => stream?.destroyed === true);
  socket.destroy();
});
