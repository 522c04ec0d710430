import { ModelCallStopped } from '../../../../activities/model/answer/stream-answer';
import { fault, text } from '../../../kit/scripted-model';
import { ask, configOf, failureOf, model } from '../asking';

describe('silence', () => {
  test.each([
    ['after the beginning', fault({ kind: 'stall', after: 2 }, { text: 'hello' }), [{ type: 'text', text: 'he' }]],
    ['before the first chunk', fault({ kind: 'stall', after: 0 }), []],
    ['before the headers', text('late', { delay: 3_600_000 }), []],
  ])('%s ends the call and closes the socket', async (_, step, parts) => {
    const server = await model(step);
    const failure = await failureOf(ask(configOf(server, { idleTimeout: 500 })));
    expect(failure).toMatchObject({ type: 'ModelUnavailable', nonRetryable: false });
    expect(failure.message).toContain('nothing arrived for 500 ms');
    expect(failure.details?.[1]).toMatchObject({ parts });
    await server.requests[0]?.socketClosed;
  });

  test('a slow stream is not silent', async () => {
    const server = await model(text('abcdefgh', { chunkSize: 1, chunkDelay: 650 }));
    expect((await ask(configOf(server, { idleTimeout: 4500 }))).parts).toEqual([{ type: 'text', text: 'abcdefgh' }]);
  });
});

describe('an abort', () => {
  test('closes the socket and returns what had arrived', async () => {
    const server = await model(fault({ kind: 'stall', after: 5 }, { text: 'hello world', chunkSize: 5 }));
    const stop = new AbortController();
    const call = ask(configOf(server), { signal: stop.signal, onDelta: () => stop.abort() });
    const error = await call.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ModelCallStopped);
    expect((error as ModelCallStopped).partial).toMatchObject({
      parts: [{ type: 'text', text: 'hello' }],
      model: 'm',
      usage: { completion: 2 },
    });
    await server.requests[0]?.socketClosed;
  });

  test('closes the socket before the headers too', async () => {
    const server = await model(text('late', { delay: 3_600_000 }));
    const stop = new AbortController();
    const call = ask(configOf(server), { signal: stop.signal });
    const request = await server.request(1);
    stop.abort();
    await expect(call).rejects.toThrow(ModelCallStopped);
    await request.socketClosed;
  });

  test('that came before the call sends nothing', async () => {
    const server = await model(text('x'));
    await expect(ask(configOf(server), { signal: AbortSignal.abort() })).rejects.toThrow(ModelCallStopped);
    expect(server.requests).toHaveLength(0);
  });
});
