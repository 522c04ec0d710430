import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * What a proxy does with a request: passes it on, loses its answer, or is away. `events`: it breaks the connection after so
 * many events, or in the middle of the next one (`half`).
 */
export type Fate = 'pass' | 'lose' | 'away' | { events: number; half?: boolean };

/** A proxy before a server, which loses connections when a test says so. */
export interface FlakyProxy {
  url: string;
  /** The requests so far, with their keys. */
  readonly requests: { path: string; key: string | undefined; lastEventId: string | undefined; fate: Fate }[];
  /** What becomes of requests from now on. */
  fate: (path: string, count: number) => Fate;
  /** Breaks all open connections. */
  cut(): void;
  close(): Promise<void>;
}

export async function flakyProxy(target: string): Promise<FlakyProxy> {
  const open = new Set<ServerResponse>();
  const pass = async (request: IncomingMessage, response: ServerResponse, fate: Fate) => {
    const body = await buffer(request);
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
    const left = new AbortController();
    response.on('close', () => left.abort());
    const answer = await fetch(`${target}${request.url}`, {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>,
      signal: left.signal,
      ...(body.length === 0 ? {} : { body }),
    });
    if (fate === 'lose') {
      await answer.arrayBuffer();
      response.destroy();
      return;
    }
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    if (typeof fate === 'object') {
      for await (const piece of beginningOf(answer, fate)) response.write(piece);
      // What was written arrives before the end does.
      await new Promise((resolve) => response.write('', resolve));
      response.destroy();
      return;
    }
    for await (const piece of answer.body ?? []) response.write(piece);
    response.end();
  };
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const fate = proxy.fate(path, proxy.requests.filter((one) => one.path === path).length);
    const header = (name: string) => request.headers[name] as string | undefined;
    proxy.requests.push({ path, key: header('idempotency-key'), lastEventId: header('last-event-id'), fate });
    open.add(response);
    response.on('close', () => open.delete(response));
    if (fate === 'away') response.destroy();
    else pass(request, response, fate).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: FlakyProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    fate: () => 'pass',
    cut() {
      for (const response of open) response.destroy();
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}

async function* beginningOf(answer: Response, { events, half }: { events: number; half?: boolean }) {
  const decoder = new TextDecoder();
  let rest = '';
  let left = events;
  for await (const bytes of answer.body ?? []) {
    const found = (rest + decoder.decode(bytes, { stream: true })).split('\n\n');
    rest = found.pop() ?? '';
    for (const event of found) {
      if (left === 0) {
        if (half) yield event.slice(0, event.length / 2);
        return;
      }
      // Comments keep a connection open.
      if (!event.startsWith(':')) left--;
      yield `${event}\n\n`;
    }
    if (left === 0 && !half) return;
  }
}
