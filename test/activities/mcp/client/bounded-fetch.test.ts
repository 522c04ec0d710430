import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { boundedFetch } from '../../../../activities/mcp/client/bounded-fetch';

/** Blocks the event loop, as the processing of messages does. */
const work = (ms: number) => {
  const end = performance.now() + ms;
  while (performance.now() < end);
};

test('a stream of events is behind where more was sent than is read, and no longer when its server pauses', async () => {
  let answer: ServerResponse | undefined;
  const server = createServer((_, response) => {
    answer = response;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: x\n\n'.repeat(10_000));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  try {
    const reader = { slow: false, behind: false };
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const body = (await boundedFetch(reader, url)).body?.getReader();
    const seen: boolean[] = [];
    for (let bytes = 0; bytes < 90_000; ) {
      bytes += (await body?.read())?.value?.length ?? 0;
      seen.push(reader.behind);
      work(3);
    }
    // Nothing waits before the first share, and all else of the same chunk does.
    expect(seen[0]).toBe(false);
    expect(seen.filter((behind) => behind).length).toBeGreaterThan(5);
    await new Promise((resolve) => setTimeout(resolve, 100));
    answer?.write('data: later\n\n');
    expect(String(new TextDecoder().decode((await body?.read())?.value))).toContain('later');
    expect(reader.behind).toBe(false);
    await body?.cancel();
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
