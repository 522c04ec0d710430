import { ModelCallStopped } from '../../activities/model/answer/stream-answer';
import { ask, failureOf } from '../activities/model/asking';
import { lookup } from '../activities/model/lookup';
import type { ReplyFault } from '../kit/model-reply';
import { slowness } from '../slowness';
import { askIt, open } from './exchange';
import { KEY } from './provider';
import { PROVIDERS } from './wires';

type StatusFault = Extract<ReplyFault, { kind: 'status' }>;
const status = (code: number, more: Partial<StatusFault> = {}): StatusFault => ({
  kind: 'status',
  status: code,
  ...more,
});
const hour = 3_600_000;

describe.each(PROVIDERS.map((kind) => [kind.name, kind] as const))('%s', (_, kind) => {
  test.each<[string, StatusFault, string, boolean]>([
    ['400', status(400), 'ModelRequestInvalid', true],
    ['401', status(401), 'ModelUnauthorized', true],
    ['404', status(404), 'ModelNotFound', true],
    ['429 without Retry-After', status(429), 'ModelRateLimited', false],
    ['503', status(503), 'ModelUnavailable', false],
    [
      'context overflow',
      status(400, { message: "This model's maximum context length is 8192 tokens, and you sent 9000." }),
      'ModelContextTooLong',
      true,
    ],
  ])('%s', async (__, fault, type, nonRetryable) => {
    const provider = await open(kind, { fault });
    const failure = await failureOf(askIt(provider));
    expect(failure).toMatchObject({ type, nonRetryable });
    expect(failure.nextRetryDelay).toBeUndefined();
    expect(failure.message).toContain(fault.message ?? `Scripted failure ${fault.status}`);
    // Temporal retries: an adapter that retries as well would multiply the calls.
    expect(provider.requests).toHaveLength(1);
    expect(failure.details?.[1]).toMatchObject({ parts: [], usage: { prompt: 0, completion: 0 }, executionUnits: 0 });
  });

  test('429 with Retry-After', async () => {
    const provider = await open(kind, { fault: status(429, { headers: { 'retry-after': '7' } }) });
    const failure = await failureOf(askIt(provider));
    expect(failure).toMatchObject({ type: 'ModelRateLimited', nonRetryable: false, nextRetryDelay: 7000 });
    expect(failure.message).toContain('it asks to wait 7 s');
    expect(provider.requests).toHaveLength(1);
  });

  test('cut stream', async () => {
    const fault = { kind: 'cut', after: 5 } as const;
    const provider = await open(kind, { text: 'hello world', chunkSize: 5, fault });
    const failure = await failureOf(askIt(provider));
    expect(failure).toMatchObject({ type: 'ModelUnavailable', nonRetryable: false });
    expect(failure.details?.[1]).toMatchObject({ parts: [{ type: 'text', text: 'hello' }] });
  });

  test('stream without an end', async () => {
    const fault = { kind: 'unfinished', after: 5 } as const;
    const provider = await open(kind, { text: 'hello world', chunkSize: 5, fault });
    const failure = await failureOf(askIt(provider));
    expect(failure).toMatchObject({ type: 'ModelUnavailable', nonRetryable: false });
    expect(failure.details?.[1]).toMatchObject({ parts: [{ type: 'text', text: 'hello' }] });
  });

  test('stalled stream', async () => {
    const fault = { kind: 'stall', after: 5 } as const;
    const provider = await open(kind, { text: 'hello world', chunkSize: 5, fault });
    // What arrives before the silence takes longer on a busy machine.
    const idleTimeout = Math.round(300 * slowness());
    const failure = await failureOf(ask(provider.model({ idleTimeout }), { tools: [lookup] }));
    expect(failure).toMatchObject({ type: 'ModelUnavailable', nonRetryable: false });
    expect(failure.message).toContain(`nothing arrived for ${idleTimeout} ms`);
    expect(failure.details?.[1]).toMatchObject({ parts: [{ type: 'text', text: 'hello' }] });
    await provider.requests[0]?.closed;
  });

  test('abort closes the socket', async () => {
    const stall = { kind: 'stall', after: 5 } as const;
    const provider = await open(
      kind,
      { text: 'late', delay: hour },
      { text: 'hello world', chunkSize: 5, fault: stall },
      { text: 'hello world', chunkSize: 5, chunkDelay: hour },
    );
    for (const [i, said] of ['', 'hello', 'hello'].entries()) {
      const stop = new AbortController();
      const call = askIt(provider, { signal: stop.signal, onDelta: () => stop.abort() });
      const request = await provider.request(i + 1);
      if (said === '') stop.abort();
      const error = await call.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ModelCallStopped);
      const parts = said === '' ? [] : [{ type: 'text', text: said }];
      expect(error).toMatchObject({ partial: { parts } });
      await request.closed;
    }
    await expect(askIt(provider, { signal: AbortSignal.abort() })).rejects.toThrow(ModelCallStopped);
    expect(provider.requests).toHaveLength(3);
  });

  test('key in no error', async () => {
    const secret = 'hdr-secret-0987654321';
    const message = `Incorrect API key provided: ${KEY} (authorization: Bearer ${KEY}, x-api-key: ${secret})`;
    const faults = [400, 401, 404, 429, 503].map((code) => ({ fault: status(code, { message, code: `bad_${KEY}` }) }));
    const provider = await open(kind, ...faults);
    for (const each of faults) {
      const model = provider.model({ extraHeaders: { 'x-api-key': secret } });
      const { message: told, details, stack, cause } = await failureOf(ask(model));
      const all = JSON.stringify([told, details, stack, String(cause)]);
      expect([each, all.includes(KEY), all.includes(secret)]).toEqual([each, false, false]);
      expect(told).toContain('Incorrect API key provided');
    }
  });
});
