import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AwayError } from '../../../client/web/api/api-error';
import { connection } from '../../../client/web/api/connection';
import { fetchAlive } from '../../../client/web/api/silence';
import { closeAfterTest } from '../../close-after-test';

const SILENCE = 1000;

/** A server that answers each request like this, and leaves it open. */
async function serving(answer: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((_, response) => answer(response));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  closeAfterTest({
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

beforeEach(() => connection.set('connected'));

it('a stream that falls silent although it is open fails, and the page says that the server is away', async () => {
  const response = await fetchAlive(await serving((to) => void to.write('data: 1\n\n')), {}, SILENCE);
  const reader = response.body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('data: 1\n\n');
  expect(connection.get()).toBe('connected');
  await expect(reader?.read()).rejects.toBeInstanceOf(AwayError);
  expect(connection.get()).toBe('away');
});

it('keep-alives are signs of life, and a slow reader is none of silence', async () => {
  const path = await serving((to) => {
    let left = 12;
    const beat = setInterval(() => {
      to.write(': alive\n\n');
      if (--left === 0) to.end('data: end\n\n', () => clearInterval(beat));
    }, SILENCE / 10);
    to.once('close', () => clearInterval(beat));
  });
  expect(await (await fetchAlive(path, {}, SILENCE)).text()).toMatch(/(: alive\n\n){12}data: end\n\n$/);
  const slow = await fetchAlive(path, {}, SILENCE);
  await new Promise((later) => setTimeout(later, 2 * SILENCE));
  expect(await slow.text()).toMatch(/data: end\n\n$/);
  expect(connection.get()).toBe('connected');
});

it('a request for reading that is not answered fails; a command waits longer', async () => {
  const path = await serving(() => undefined);
  await expect(fetchAlive(path, {}, SILENCE)).rejects.toBeInstanceOf(AwayError);
  const stop = new AbortController();
  const command = fetchAlive(path, { method: 'POST', signal: stop.signal }, SILENCE).catch(
    (error: Error) => error.name,
  );
  await new Promise((later) => setTimeout(later, 1.5 * SILENCE));
  stop.abort();
  expect(await command).toBe('AbortError');
});

it('an answer without a body stays as it is', async () => {
  const path = await serving((to) => void to.writeHead(204).end());
  expect(await fetchAlive(path, {}, SILENCE)).toMatchObject({ status: 204, body: null });
});
