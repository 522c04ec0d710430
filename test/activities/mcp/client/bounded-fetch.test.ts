import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { boundedFetch } from '../../../../activities/mcp/client/bounded-fetch';
import { IdleTime } from '../../../../activities/mcp/client/traffic/idle-time';
import { until } from '../../../until';

/** Blocks the event loop, as the processing of messages does. */
const work = (ms: number) => {
  const end = performance.now() + ms;
  while (performance.now() < end);
};

/** What an answer with this body is read as. */
async function piecesOf(body: string): Promise<string[]> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(body);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  try {
    const response = await boundedFetch({ slow: false }, `http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const pieces: string[] = [];
    for await (const piece of response.body ?? []) pieces.push(new TextDecoder().decode(piece));
    return pieces;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test('a large event is not read in shares, each of which would wait for its turn on a busy machine', async () => {
  const event = `data: ${'x'.repeat(4 * 1024 * 1024)}\n\n`;
  const pieces = await piecesOf(event.repeat(2));
  expect(pieces.join('')).toBe(event.repeat(2));
  // In shares of 4 KB they would be 2,048.
  expect(pieces.length).toBeLessThan(1000);
});

test('small events are read in shares of 4 KB, however they arrive', async () => {
  const small = 'data: x\n\n'.repeat(100_000);
  const pieces = await piecesOf(small);
  expect(pieces.join('')).toBe(small);
  expect(Math.max(...pieces.map(({ length }) => length))).toBe(4096);
});

test('a stream of events is idle while its server pauses, and not while what it sent is read', async () => {
  let answer: ServerResponse | undefined;
  const server = createServer((_, response) => {
    answer = response;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: x\n\n'.repeat(10_000));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  try {
    const idle = new IdleTime();
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const body = (await boundedFetch({ slow: false, idle }, url)).body?.getReader();
    const began = performance.now();
    const before = idle.ms;
    for (let bytes = 0; bytes < 90_000; ) {
      bytes += (await body?.read())?.value?.length ?? 0;
      work(3);
    }
    // Only between two chunks, of which there are few.
    expect(idle.ms - before).toBeLessThan((performance.now() - began) / 2);
    const read = idle.ms;
    await until(() => idle.ms > read, 'all to be read');
    const paused = idle.ms;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(idle.ms - paused).toBeGreaterThan(90);
    answer?.write('data: later\n\n');
    expect(String(new TextDecoder().decode((await body?.read())?.value))).toContain('later');
    await body?.cancel();
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
