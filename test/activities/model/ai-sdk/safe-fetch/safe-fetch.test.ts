import { getEventListeners } from 'node:events';
import { safeFetch } from 'holdfast/worker';
import { until } from '../../../../until';

const URL = 'http://127.0.0.1:9/v1';

const answers = {
  'that is read': async () => {
    const answer = await ask(() => new Response('{"text":"hello"}'));
    expect(await answer.json()).toEqual({ text: 'hello' });
  },
  'whose reader turns away': async () => {
    const endless = new ReadableStream({ pull: (out) => out.enqueue(Buffer.from('data: 1\n\n')) });
    await (await ask(() => new Response(endless))).body?.cancel();
  },
  'that is cut': async () => {
    const cut = new ReadableStream({ pull: (out) => out.error(new Error('cut')) });
    await expect((await ask(() => new Response(cut))).text()).rejects.toThrow('cut');
  },
  'past a limit': async () => {
    await expect((await ask(() => new Response('x'.repeat(101)))).text()).rejects.toThrow(/over 100 bytes/);
  },
  'without a body': async () => {
    expect((await ask(() => new Response(null, { status: 204 }))).status).toBe(204);
  },
  'with an error': async () => {
    expect(await (await ask(() => new Response('no', { status: 500 }))).text()).toBe('no');
  },
  'that never comes': async () => {
    const refused = () => Promise.reject(new TypeError('fetch failed'));
    await expect(ask(refused)).rejects.toThrow('fetch failed');
  },
};

/** As for the signal that an application has for all of its life. */
const life = new AbortController().signal;

function ask(answer: () => Response | Promise<Response>) {
  return safeFetch({ maxBytes: 100, fetch: async () => answer() })(URL, { signal: life });
}

it.each(Object.entries(answers))('leaves nothing at the signal after an answer %s', async (_, use) => {
  await use();
  await until(() => getEventListeners(life, 'abort').length === 0, 'the listener to be removed', 2000);
});

it('follows the signal while the body is on its way', async () => {
  const stop = new AbortController();
  const fetch = async (_: unknown, { signal }: RequestInit = {}) => {
    const start = (out: ReadableStreamDefaultController) =>
      signal?.addEventListener('abort', () => out.error(signal.reason));
    return new Response(new ReadableStream({ start }));
  };
  const answer = await safeFetch({ fetch: fetch as typeof globalThis.fetch })(URL, { signal: stop.signal });
  const text = answer.text();
  stop.abort(new Error('enough'));
  await expect(text).rejects.toThrow('enough');
});
