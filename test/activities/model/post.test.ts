import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { post } from '../../../activities/model/adapters/openai/post';
import { closeAfterTest } from '../../close-after-test';
import { newGate } from '../../gate';
import { selfSigned } from '../../self-signed';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

async function listen(server: Server, protocol = 'http'): Promise<URL> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closeAfterTest({ close: async () => server.close() });
  return new URL(`${protocol}://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

const serve = (answer: Answer) => listen(createServer(answer));

const said = { method: 'POST', headers: { 'x-who': 'me' }, body: '{"Grüße":1}' };

async function textOf({ body }: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body ?? []) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

test('the text arrives, and the answer with its headers', async () => {
  const url = await serve((request, response) => {
    const { method, headers } = request;
    request.on('data', (data) => {
      response.writeHead(201, { 'x-said': `${method} ${headers['x-who']} ${headers['content-length']}` }).end(data);
    });
  });
  const response = await post(url, said);
  expect([response.status, response.ok, response.headers.get('x-said')]).toEqual([201, true, 'POST me 13']);
  expect(await textOf(response)).toBe(said.body);
});

test('a connection is used again', async () => {
  const ports = new Set<number | undefined>();
  const url = await serve(({ socket }, response) => {
    ports.add(socket.remotePort);
    response.end('ok');
  });
  for (let i = 0; i < 5; i++) expect(await textOf(await post(url, said))).toBe('ok');
  expect(ports.size).toBe(1);
});

test.each([
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
])('an answer in %s is read', async (encoding, compress) => {
  const url = await serve((_, response) => {
    response.writeHead(200, { 'content-encoding': encoding }).end(compress('squeezed'));
  });
  expect(await textOf(await post(url, said))).toBe('squeezed');
});

test('what is said to be compressed and is not is an error', async () => {
  const url = await serve((_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('plain'));
  await expect(textOf(await post(url, said))).rejects.toThrow('incorrect header check');
});

test.each([302, 304, 404, 500])('status %d is an answer', async (status) => {
  const url = await serve((_, response) => void response.writeHead(status, { location: '/other' }).end('why'));
  const response = await post(url, said);
  expect([response.status, response.ok, await response.text()]).toEqual([status, false, status === 304 ? '' : 'why']);
});

describe('an abort', () => {
  test('before the request makes none', async () => {
    let asked = 0;
    const url = await serve((_, response) => void response.end(String(asked++)));
    await expect(post(url, { ...said, signal: AbortSignal.abort(new Error('too late')) })).rejects.toThrow('too late');
    expect(asked).toBe(0);
  });

  test.each([
    ['before the answer', (_: ServerResponse) => undefined],
    ['in its middle', (response: ServerResponse) => void response.write('begun')],
  ])('%s closes the connection', async (_, answer) => {
    const { open: close, opened: closed } = newGate();
    const stop = new AbortController();
    const url = await serve((request, response) => {
      request.socket.once('close', close);
      answer(response);
      setTimeout(() => stop.abort(new Error('enough')), 20);
    });
    const read = post(url, { ...said, signal: stop.signal }).then(textOf);
    await expect(read).rejects.toThrow(/enough|aborted/);
    await closed;
  });

  test('of an answer that has come and was not read harms nothing', async () => {
    const url = await serve((_, response) => void response.end('x'.repeat(3_000_000)));
    const stop = new AbortController();
    const response = await post(url, { ...said, signal: stop.signal });
    for await (const piece of response.body ?? []) if (piece.length > 0) break;
    stop.abort();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await textOf(await post(url, said))).toHaveLength(3_000_000);
  });
});

test('a server that is not there, or is not trusted, is an error that says so', async () => {
  await expect(post(new URL('http://127.0.0.1:1'), said)).rejects.toThrow('ECONNREFUSED');
  const pem = await selfSigned();
  const url = await listen(createTlsServer({ key: pem, cert: pem }), 'https');
  await expect(post(url, said)).rejects.toThrow('self-signed');
});
