import type { JsonObject } from '../../agent/values/json';
import type { ModelReply } from '../kit/model-reply';
import { type ModelServer, serveModel } from '../kit/model-server';
import { call, calls, fault, ScriptedModel, text } from '../kit/scripted-model';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

async function serve(reply: ModelReply): Promise<ModelServer> {
  const server = await serveModel(() => reply);
  open.push(server);
  return server;
}

async function script(...steps: ConstructorParameters<typeof ScriptedModel>): Promise<ScriptedModel> {
  const model = await new ScriptedModel(...steps).start();
  open.push(model);
  return model;
}

function post(url: string, extra: JsonObject = {}, init: RequestInit = {}): Promise<Response> {
  const body = { model: 'm', messages: [{ role: 'user', content: 'hi' }], ...extra };
  return fetch(`${url}/chat/completions`, { method: 'POST', body: JSON.stringify(body), ...init });
}

interface Chunk {
  /** Stands for `[DONE]`. */
  done?: true;
  choices?: {
    delta: {
      content?: string;
      tool_calls?: { index: number; id?: string; function: { arguments: string } }[];
      [field: string]: unknown;
    };
    finish_reason: string | null;
  }[];
  usage?: JsonObject;
}

/** The chunks of a whole stream. */
async function chunks(url: string, extra: JsonObject = {}): Promise<Chunk[]> {
  const response = await post(url, { stream: true, ...extra });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  return (await response.text())
    .split('\n\n')
    .filter((line) => line !== '')
    .map((line) => line.replace(/^data: /, ''))
    .map((data) => (data === '[DONE]' ? { done: true } : (JSON.parse(data) as Chunk)));
}

const contentOf = (all: Chunk[]) => all.map((chunk) => chunk.choices?.[0]?.delta?.content ?? '').join('');

describe('serveModel', () => {
  test('streams a text in chunks of the asked size, then the reason, then [DONE]', async () => {
    const { url } = await serve({ text: 'hello world', chunkSize: 4 });
    const all = await chunks(url);
    expect(all.map((chunk) => chunk.choices?.[0]?.delta?.content)).toEqual([
      '',
      'hell',
      'o wo',
      'rld',
      undefined,
      undefined,
    ]);
    expect(all.at(-2)?.choices?.[0]?.finish_reason).toBe('stop');
    expect(all.at(-1)).toEqual({ done: true });
  });

  test('sends usage only where the request asks for it', async () => {
    const { url } = await serve({ text: 'x', usage: { prompt: 7, completion: 3 } });
    expect((await chunks(url)).some((chunk) => chunk.usage)).toBe(false);
    const all = await chunks(url, { stream_options: { include_usage: true } });
    expect(all.at(-2)).toMatchObject({ choices: [], usage: { prompt_tokens: 7, completion_tokens: 3 } });
  });

  test('streams reasoning and calls, the arguments in pieces and the ids as given', async () => {
    const { url } = await serve({
      reasoning: 'hm',
      calls: [
        { name: 'a', arguments: { city: 'Rome' } },
        { name: 'b', arguments: '{broken', id: '' },
      ],
      chunkSize: 5,
    });
    const deltas = (await chunks(url)).slice(0, -1).map((chunk) => chunk.choices?.[0]?.delta ?? {});
    expect(deltas[1]).toEqual({ reasoning_content: 'hm' });
    const pieces = deltas.flatMap((delta) => delta.tool_calls ?? []);
    expect(pieces.filter((piece) => piece.id !== undefined).map((piece) => [piece.index, piece.id])).toEqual([
      [0, 'call_1_1'],
      [1, ''],
    ]);
    const args = (index: number) =>
      pieces
        .filter((piece) => piece.index === index)
        .map((piece) => piece.function.arguments)
        .join('');
    expect(args(0)).toBe('{"city":"Rome"}');
    expect(args(1)).toBe('{broken');
  });

  test('answers without streaming in one object', async () => {
    const { url } = await serve({ text: 'hi', calls: [{ name: 'a', arguments: {} }] });
    expect(await (await post(url)).json()).toMatchObject({
      object: 'chat.completion',
      choices: [
        {
          finish_reason: 'tool_calls',
          message: { content: 'hi', tool_calls: [{ function: { name: 'a', arguments: '{}' } }] },
        },
      ],
    });
  });

  test('lists a model', async () => {
    const { url } = await serve({});
    expect(await (await fetch(`${url}/models`)).json()).toMatchObject({ object: 'list' });
    expect((await fetch(`${url}/other`)).status).toBe(404);
  });

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

  test('no-choices: a valid stream with nothing in it', async () => {
    const { url } = await serve(fault({ kind: 'no-choices' }));
    expect(await chunks(url)).toEqual([expect.objectContaining({ choices: [] }), { done: true }]);
  });

  test('a delay is cut short by the end of the client', async () => {
    const server = await serve({ text: 'late', delay: 3_600_000 });
    const stop = new AbortController();
    const response = post(server.url, { stream: true }, { signal: stop.signal });
    const request = await server.request(1);
    stop.abort();
    await expect(response).rejects.toThrow('aborted');
    await request.socketClosed;
  });

  test('close destroys open connections', async () => {
    const server = await serve(fault({ kind: 'stall', after: 0 }));
    const response = await post(server.url, { stream: true });
    await server.close();
    await expect(response.text()).rejects.toThrow();
  });

  test('raw chunks go out as they are', async () => {
    const server = await serveModel(() => ({ raw: ['data: one\n\n', { two: 2 }] }));
    open.push(server);
    expect(await (await post(server.url)).text()).toBe('data: one\n\ndata: {"two":2}\n\n');
  });
});

describe('ScriptedModel', () => {
  test('takes its steps in order, faults included, and records the requests', async () => {
    const model = await script(fault({ kind: 'status', status: 503 }), text('ok'));
    model.script(({ request, number }) => text(`${request.model} ${number}`));
    expect((await post(model.url)).status).toBe(503);
    expect(() => model.assertDone()).toThrow('2 of its 3 steps left');
    expect(contentOf(await chunks(model.url))).toBe('ok');
    expect(contentOf(await chunks(model.url))).toBe('m 3');
    expect(() => model.assertDone()).not.toThrow();
    expect(model.requests.map((request) => request.body.messages)).toEqual(
      Array(3).fill([{ role: 'user', content: 'hi' }]),
    );
  });

  test('refuses a request past its end by name', async () => {
    const model = await script(text('only'));
    await post(model.url);
    const response = await post(model.url);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { code: 'script_exhausted', message: 'The script has 1 steps and this is request 2' },
    });
  });

  test('a step that throws is a 400 that names the problem', async () => {
    const model = await script(() => {
      throw new Error('wrong expectation');
    });
    const response = await post(model.url);
    expect(response.status).toBe(400);
    expect((await response.json()) as object).toMatchObject({
      error: { code: 'answer_threw', message: 'Error: wrong expectation' },
    });
  });

  test('step makers build what they say', () => {
    expect(call('a', { x: 1 }, { id: 'i', text: 'now' })).toEqual({
      text: 'now',
      calls: [{ name: 'a', arguments: { x: 1 }, id: 'i' }],
    });
    expect(calls(['a'], ['b', '{', { id: '' }])).toEqual({
      calls: [
        { name: 'a', arguments: {} },
        { name: 'b', arguments: '{', id: '' },
      ],
    });
  });
});
