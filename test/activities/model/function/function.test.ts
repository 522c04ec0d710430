import { setTimeout as sleep } from 'node:timers/promises';
import { ModelServerError, type ModelStream } from 'holdfast/worker';
import { ModelCallStopped } from '../../../../activities/model/answer/stream-answer';
import type { Message } from '../../../../agent/model/message';
import type { DeltaBody } from '../../../../agent/protocol/stream';
import { newGate } from '../../../gate';
import { until } from '../../../until';
import { ask, failureOf } from '../asking';
import { lookup } from '../lookup';
import { END, model, throwing, yielding } from './functions';

describe('a function as a model', () => {
  it('yields parts, or lists of parts', async () => {
    const deltas: DeltaBody[] = [];
    const stream = yielding(
      { type: 'reasoning', text: 'hm', id: 'r', providerData: { signature: 's' } },
      [
        { type: 'text', text: 'I ' },
        { type: 'text', text: 'look.' },
      ],
      [],
      { type: 'call', index: 0, id: 'a', name: 'look_up', arguments: '{"q":' },
      { type: 'call', index: 0, arguments: '"x"}' },
      { type: 'call', index: 1, name: 'look_up', arguments: { q: 'y' }, id: undefined },
      { type: 'data', data: { conversation: 7 } },
      { type: 'model', model: 'm-2' },
      { type: 'usage', usage: { prompt: 7, completion: 3, cached: 2 } },
      END,
    );
    const answer = await ask(model(stream), { tools: [lookup], onDelta: (delta) => deltas.push(delta) });
    expect(answer).toMatchObject({
      type: 'tool_call',
      parts: [
        { type: 'reasoning', text: 'hm', providerData: { signature: 's' } },
        { type: 'text', text: 'I look.' },
      ],
      toolRequests: [
        { providerId: 'a', input: { q: 'x' } },
        { name: 'look_up', input: { q: 'y' } },
      ],
      usage: { prompt: 7, completion: 3, cached: 2 },
      model: 'm-2',
      providerData: { message: { conversation: 7 } },
    });
    expect(deltas.filter(({ type }) => type === 'stream.text')).toHaveLength(2);
  });

  it('tells all that its provider counts', async () => {
    const usage = { prompt: 100, completion: 10, cached: 20, cacheWritten: 30, reasoning: 4, estimated: true as const };
    const answer = await ask(model(yielding({ type: 'text', text: 'hi' }, { type: 'usage', usage }, END)));
    expect(answer.usage).toEqual(usage);
  });

  it('may tell more of its usage than is kept', async () => {
    const usage = { prompt: 100, completion: 10, total: 110, estimated: false };
    const answer = await ask(model(yielding({ type: 'text', text: 'hi' }, { type: 'usage', usage }, END)));
    expect(answer.usage).toEqual({ prompt: 100, completion: 10 });
  });

  it('cannot change what later calls send', async () => {
    const tools = [lookup];
    const messages: Message[] = [
      { role: 'user', parts: [{ type: 'text', text: 'hi' }], turn: 0 },
      {
        role: 'assistant',
        parts: [{ type: 'tool_use', toolUseId: 't1.1', name: 'look.up', input: { q: ['x'] } }],
        turn: 1,
      },
    ];
    const seen: string[] = [];
    const stream: ModelStream = async function* (request) {
      seen.push(JSON.stringify(request.messages) + JSON.stringify(request.tools));
      for (const tool of request.tools) tool.inputSchema.type = 'spoiled';
      for (const message of request.messages.splice(0)) {
        for (const part of message.content.splice(0)) {
          if (part.type === 'text') part.text = 'spoiled';
          if (part.type === 'call') part.input.q = 'spoiled';
        }
      }
      yield END;
    };
    for (const _ of [1, 2]) await ask(model(stream), { messages, tools }).catch(() => undefined);
    expect(seen[1]).toBe(seen[0]);
    expect(seen[1]).not.toContain('spoiled');
  });

  it('gets the request, with the settings of the model', async () => {
    let request: unknown;
    const stream: ModelStream = async function* (given) {
      request = given;
      yield END;
    };
    await ask(model(stream, { temperature: 0.5, maxTokens: 9 }), { system: 'Sort.', tools: [lookup] });
    expect(request).toMatchObject({
      model: 'm',
      system: 'Sort.',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
      tools: [{ name: 'look_up' }],
      settings: { temperature: 0.5, maxTokens: 9 },
    });
  });

  it('what it yields is copied: it may use its objects again', async () => {
    const stream: ModelStream = async function* () {
      const part = { type: 'reasoning' as const, text: 'a', id: 'r', providerData: { list: ['a'] } };
      yield part;
      part.providerData.list.push('b');
      yield END;
    };
    expect((await ask(model(stream))).parts).toMatchObject([{ providerData: { list: ['a'] } }]);
  });
});

describe('a function that fails', () => {
  it.each<[unknown, string, boolean]>([
    [new Error('socket hang up'), 'ModelUnavailable', false],
    ['offline', 'ModelUnavailable', false],
    [null, 'ModelUnavailable', false],
    [new ModelServerError('no', { status: 401 }), 'ModelUnauthorized', true],
    [new ModelServerError('no', { status: 400, code: 'context_length_exceeded' }), 'ModelContextTooLong', true],
    [new ModelServerError('no', { code: 'insufficient_quota' }), 'ModelQuotaExceeded', true],
    [Object.assign(new Error('no'), { status: 404 }), 'ModelNotFound', true],
    [{ status: 400, code: 'context_length_exceeded', message: 'no' }, 'ModelContextTooLong', true],
    [{ status: 503 }, 'ModelUnavailable', false],
    [Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }), 'ModelUnavailable', false],
  ])('%# by what it throws', async (error, type, nonRetryable) => {
    const failure = await failureOf(ask(model(throwing(error))));
    expect(failure).toMatchObject({ type, nonRetryable });
    expect(failure.message).not.toMatch(/undefined|baseUrl/);
  });

  it.each<[string, unknown]>([
    ['of the class', new ModelServerError('busy', { status: 429, retryAfter: 7000 })],
    ['with headers', new ModelServerError('busy', { status: 429, headers: new Headers({ 'retry-after': '7' }) })],
    ['of another class', Object.assign(new Error('busy'), { status: 429, retryAfter: 7000 })],
    [
      'of another client',
      Object.assign(new Error('busy'), { status: 429, headers: new Headers({ 'retry-after': '7' }) }),
    ],
  ])('says how long to wait: an error %s', async (_, error) => {
    const failure = await failureOf(ask(model(throwing(error))));
    expect(failure).toMatchObject({ type: 'ModelRateLimited', nextRetryDelay: 7000 });
  });

  it.each<[string, unknown, string]>([
    ['the body of an answer', { error: { message: 'the region is closed' } }, '(the region is closed)'],
    ['another form of it', { detail: 'the region is closed', status: 503 }, '(the region is closed)'],
    [
      'an object without words',
      { config: { key: 'key-1234567890' } },
      '(it threw an object without a `message`, with `config`)',
    ],
    ['an object without fields', {}, '(it threw an object without a `message`)'],
    ['what is not JSON', { count: 1n }, '(it threw an object without a `message`, with `count`)'],
  ])('tells what it says where it throws %s', async (_, thrown, problem) => {
    const failure = await failureOf(ask(model(throwing(thrown))));
    expect(failure).toMatchObject({ type: 'ModelUnavailable', nonRetryable: false });
    expect(failure.message).toContain(problem);
    expect(failure.message).not.toContain('key-1234567890');
  });

  it('keeps what had arrived, and shows none of its secrets', async () => {
    const stream: ModelStream = async function* () {
      yield { type: 'text', text: 'hello' };
      throw new Error('key-1234567890 is wrong');
    };
    const failure = await failureOf(ask(model(stream, { secrets: ['key-1234567890'] })));
    expect(failure.message).not.toContain('key-1234567890');
    expect(failure.details?.[1]).toMatchObject({ parts: [{ type: 'text', text: 'hello' }] });
  });

  it.each<[unknown[], string]>([
    [[], 'it ended without a part'],
    [[{ type: 'text', text: 'x' }], 'it ended after part 1'],
  ])('by forgetting its end is told what is missing: %#', async (parts, problem) => {
    const failure = await failureOf(ask(model(yielding(...parts))));
    expect(failure).toMatchObject({ type: 'ModelUnavailable', nonRetryable: false });
    expect(failure.message).toContain(`${problem}: the last part must be \`{ type: 'finish', reason: 'stop' }\``);
  });

  it('by being silent is left', async () => {
    let aborted: AbortSignal | undefined;
    const stream: ModelStream = async function* (_, { signal }) {
      aborted = signal;
      await new Promise(() => {});
      yield END;
    };
    const failure = await failureOf(ask(model(stream, { idleTimeout: 100 })));
    expect(failure.message).toContain('nothing arrived for 100 ms');
    expect(aborted?.aborted).toBe(true);
  });

  it('is alive while it yields empty lists', async () => {
    const stream: ModelStream = async function* () {
      for (let i = 0; i < 8; i++) {
        await sleep(300);
        yield [];
      }
      yield END;
    };
    expect(await ask(model(stream, { idleTimeout: 2000 }))).toMatchObject({ finishReason: 'stop' });
  });
});

describe('an abort', () => {
  it('leaves a function that ignores its signal, at once, and lets it clean up', async () => {
    const gate = newGate();
    let cleaned = false;
    const stream: ModelStream = async function* () {
      try {
        yield { type: 'text', text: 'hello' };
        await gate.opened;
        yield { type: 'text', text: 'late' };
      } finally {
        cleaned = true;
      }
    };
    const stop = new AbortController();
    const asked = ask(model(stream), { signal: stop.signal, onDelta: () => setTimeout(() => stop.abort()) });
    await expect(asked).rejects.toMatchObject({ partial: { parts: [{ type: 'text', text: 'hello' }] } });
    await expect(asked).rejects.toThrow(ModelCallStopped);
    expect(cleaned).toBe(false);
    gate.open();
    await until(() => cleaned, 'the end of the function');
  });

  it('reaches a function that yields without a pause', async () => {
    const stop = new AbortController();
    const stream: ModelStream = async function* () {
      while (true) yield { type: 'model', model: 'm' };
    };
    setTimeout(() => stop.abort(), 20);
    await expect(ask(model(stream), { signal: stop.signal })).rejects.toThrow(ModelCallStopped);
  });

  it('ends a function that throws because of it without a failure', async () => {
    const stop = new AbortController();
    const stream: ModelStream = async function* (_, { signal }) {
      yield { type: 'text', text: 'x' };
      await sleep(3_600_000, undefined, { signal });
    };
    const asked = ask(model(stream), { signal: stop.signal, onDelta: () => stop.abort() });
    await expect(asked).rejects.toThrow(ModelCallStopped);
  });
});
