import { fault } from '../kit/scripted-model';
import { chunks, contentOf, post, serve } from './served';

describe('serveModel', () => {
  test('an HTTP error carries its code, message and headers', async () => {
    const { url } = await serve(
      fault({ kind: 'status', status: 429, code: 'slow', message: 'later', headers: { 'retry-after': '3' } }),
    );
    const response = await post(url, { stream: true });
    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toBe('3');
    expect(await response.json()).toMatchObject({ error: { code: 'slow', message: 'later' } });
  });

  test('html: a page with status 200', async () => {
    const { url } = await serve(fault({ kind: 'html' }));
    const response = await post(url, { stream: true });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html']);
  });

  test('cut: the characters arrive, then the connection breaks', async () => {
    const server = await serve(fault({ kind: 'cut', after: 6 }, { text: 'hello world', chunkSize: 4 }));
    const response = await post(server.url, { stream: true });
    let seen = '';
    const decoder = new TextDecoder();
    await expect(
      (async () => {
        for await (const bytes of response.body as unknown as AsyncIterable<Uint8Array>) seen += decoder.decode(bytes);
      })(),
    ).rejects.toThrow('terminated');
    expect(seen).toContain('"hell"');
    expect(seen).toContain('"o "');
    expect(seen).not.toContain('rld');
    expect(server.requests[0]?.finished).toBe(false);
  });

  test('unfinished: the stream ends in order without a reason', async () => {
    const { url } = await serve(fault({ kind: 'unfinished', after: 4 }, { text: 'hello world' }));
    const all = await chunks(url);
    expect(contentOf(all)).toBe('hell');
    expect(all.at(-1)).toEqual({ done: true });
    expect(all.some((chunk) => chunk.choices?.[0]?.finish_reason)).toBe(false);
  });

  test('stall: the socket stays open, and the server notices when the client closes it', async () => {
    const server = await serve(fault({ kind: 'stall', after: 2 }, { text: 'hello' }));
    const stop = new AbortController();
    const response = await post(server.url, { stream: true }, { signal: stop.signal });
    expect(response.status).toBe(200);
    const request = await server.request(1);
    stop.abort();
    await request.socketClosed;
    expect(request.finished).toBe(false);
  });

  test('half-chunk: the last line is half a JSON', async () => {
    const { url } = await serve(fault({ kind: 'half-chunk' }));
    const body = await (await post(url, { stream: true })).text();
    expect(() => JSON.parse(body.replace(/^data: /, ''))).toThrow(SyntaxError);
  });

  test('no-choices: a valid stream without choices', async () => {
    const { url } = await serve(fault({ kind: 'no-choices' }));
    expect(await chunks(url)).toEqual([expect.objectContaining({ choices: [] }), { done: true }]);
  });
});
