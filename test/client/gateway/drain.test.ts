import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'holdfast/testing';
import { dial } from './guard/raw-http';
import { type GatewayKit, read, serveKit, startGatewayKit, TOKEN } from './kit';
import { until } from './until';

let gateway: GatewayKit;
beforeAll(async () => {
  gateway = await startGatewayKit();
});
afterAll(() => gateway.close());

test('a server with 50 open streams ends in 2 s, and its readers see that each is cut', async () => {
  const { kit } = gateway;
  const words = text('word '.repeat(1000), { chunkDelay: 50, chunkSize: 5 });
  kit.model.reset();
  kit.model.script(words);
  const run = kit.conversation('support.desk', { id: 'long' });
  await run.send('Count');
  const other = await serveKit(kit.client);
  const paths = ['/v1/runs/long/events', '/v1/runs/long/chat/chat/stream'];
  const streams = await Promise.all(
    Array.from({ length: 50 }, async (_, i) => {
      const { status, body } = await other.request(paths[i % 2] as string);
      const heard = { status, text: '', ended: false };
      const read = async () => {
        for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) heard.text += piece;
        heard.ended = true;
      };
      return Object.assign(heard, { end: read() });
    }),
  );
  expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
  await until(() => streams.every((one) => one.text.includes('word ')));

  const since = performance.now();
  await other.close();
  expect(performance.now() - since).toBeLessThan(2000);
  await Promise.all(streams.map(({ end }) => end));
  for (const { text: heard } of streams)
    expect(heard).not.toMatch(/^event: (end|error)|\[DONE\]|"type":"(finish|error)"/m);
  await run.cancel();
});

test('readers that take nothing do not hold up its end, and a request in progress gets its answer', async () => {
  const { kit } = gateway;
  kit.model.reset();
  kit.model.script(text('Hi'));
  const run = kit.conversation('support.desk', { id: 'local:stuck', owner: 'local:ann' });
  await run.send('Hello');
  await until(async () => (await run.state()).idle);
  const other = await serveKit(kit.client);
  const sockets = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const socket = await dial(other.url);
      socket.write(
        `GET /v1/runs/local:stuck/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`,
      );
      socket.on('data', (data) => {
        // As soon as it streams, it reads no more.
        if (data.includes('event: fact')) socket.pause();
      });
      return socket;
    }),
  );
  await until(() => sockets.every((socket) => socket.isPaused()));
  const { turn } = await run.state();
  // More than the kernel takes for a reader.
  for (let seq = 0; seq < 400; seq++) {
    const place = { id: run.id, turn: turn + 1, callId: 'next', attempt: 1, seq };
    kit.bus.publish({ type: 'stream.text', text: 'z'.repeat(100_000), ...place });
    await new Promise(setImmediate);
  }
  const waiting = read(other.request('/v1/runs/local:stuck/result?wait=60'));
  expect((await other.request('/v1/runs/local:stuck')).status).toBe(200);

  const since = performance.now();
  await other.close();
  expect(performance.now() - since).toBeLessThan(5000);
  expect(await waiting).toMatchObject({ status: 200, body: { status: 'running' } });
  for (const socket of sockets) socket.destroy();
  await run.cancel();
});

test('a reader that is slow to take a large answer gets all of it, and idle connections go at once', async () => {
  const page = await mkdtemp(join(tmpdir(), 'holdfast-page-'));
  // More than the kernel takes for a reader.
  const much = 'z'.repeat(15_000_000);
  await writeFile(join(page, 'large.js'), much);
  const other = await serveKit(gateway.kit.client, { page });
  const ask = 'GET /large.js HTTP/1.1\r\nHost: localhost\r\n\r\n';
  const idle = await dial(other.url);
  idle.write('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const idleEnds = new Promise((resolve) => idle.on('data', () => undefined).once('close', resolve));
  const slow = await dial(other.url);
  let heard = 0;
  slow.on('data', (data) => {
    heard += data.length;
    slow.pause();
  });
  slow.write(ask);
  await until(() => heard > 0);

  let isClosed = false;
  const closed = other.close().then(() => {
    isClosed = true;
  });
  await idleEnds;
  expect(isClosed).toBe(false);
  const ends = new Promise((resolve) => slow.once('close', resolve));
  // From here on it reads piece by piece.
  slow.on('data', () => setImmediate(() => slow.resume()));
  slow.resume();
  await ends;
  expect(heard).toBeGreaterThan(much.length);
  await closed;
  await rm(page, { recursive: true });
});
