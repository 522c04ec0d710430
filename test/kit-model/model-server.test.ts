import { closeAfterTest } from '../close-after-test';
import { serveModel } from '../kit/model-server';
import { fault } from '../kit/scripted-model';
import { chunks, post, serve } from './served';

describe('serveModel', () => {
  it('says in a line that its port is in use, and what to do', async () => {
    const first = closeAfterTest(await serveModel(() => ({ text: 'one' })));
    const port = Number(new URL(first.url).port);
    await expect(serveModel(() => ({ text: 'two' }), { port })).rejects.toMatchObject({
      type: 'PortTaken',
      message: `Port ${port} for the scripted model is taken. Stop what uses it, or choose another.`,
    });
  });

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

  test('sends usage only if the request asks for it', async () => {
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

  test('a delay ends early when the client goes away', async () => {
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
    const server = closeAfterTest(await serveModel(() => ({ raw: ['data: one\n\n', { two: 2 }] })));
    expect(await (await post(server.url)).text()).toBe('data: one\n\ndata: {"two":2}\n\n');
  });
});
