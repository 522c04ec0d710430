import { setTimeout as sleep } from 'node:timers/promises';
import { defineModel, type ModelDefinition, ModelServerError, type ModelStream } from 'holdfast/worker';
import { ModelCallStopped } from '../../../../activities/model/answer/stream-answer';
import type { DeltaBody } from '../../../../agent/protocol/stream';
import { newGate } from '../../../gate';
import { until } from '../../../until';
import { ask, failureOf, lookup } from '../asking';

const END = { type: 'finish', reason: 'stop' } as const;
const model = (stream: ModelStream, extra: Partial<ModelDefinition> = {}) =>
  defineModel({ model: 'm', stream, ...extra });
/** A function that yields anything. */
const yielding = (...given: unknown[]): ModelStream =>
  async function* () {
    yield* given as never[];
  };
/** A function that throws before it yields anything. */
const throwing = (error: unknown): ModelStream =>
  // biome-ignore lint/correctness/useYield: it throws instead
  async function* () {
    throw error;
  };

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

describe('a part that is none is refused, and the error names part and field', () => {
  const loop: { [key: string]: unknown } = {};
  loop.self = loop;
  it.each<[unknown, string]>([
    ['hello', 'part 2: expected an object with a `type`, got a string'],
    [null, 'part 2: expected an object with a `type`, got null'],
    [[[]], 'part 2: expected an object with a `type`, got a list'],
    [{ text: 'x' }, 'part 2: its `type` is nothing; known are `text`, `reasoning`, `call`, '],
    [{ type: 'tool-call' }, 'part 2: its `type` is `tool-call`; known are `text`, '],
    [{ type: 'constructor' }, 'part 2: its `type` is `constructor`; known are `text`, '],
    [{ type: 'text', delta: 'x' }, 'part 2 (`text`): it has a field `delta`; known are `text`'],
    [{ type: 'text' }, 'part 2 (`text`): expected `text` to be a string, got nothing'],
    [{ type: 'text', text: 7 }, 'part 2 (`text`): expected `text` to be a string, got a number'],
    [
      { type: 'reasoning', text: '', providerData: 's' },
      'part 2 (`reasoning`): expected `providerData` to be a JSON object',
    ],
    [{ type: 'call', index: -1 }, 'part 2 (`call`): expected `index` to be a whole number of at least 0, got a number'],
    [
      { type: 'call', arguments: null },
      'part 2 (`call`): expected `arguments` to be JSON, as a string or as an object of ',
    ],
    [
      { type: 'call', arguments: { n: 1n } },
      'part 2 (`call`): expected `arguments` to be JSON, as a string or as an object',
    ],
    [
      { type: 'data', data: loop },
      'part 2 (`data`): expected `data` to be a JSON object of at most 200 levels, got an object',
    ],
    [
      { type: 'usage', usage: { input: 1 } },
      'part 2 (`usage`): expected `usage` to be `{ prompt, completion, cached?, ',
    ],
    [
      { type: 'finish', reason: 'done' },
      'part 2 (`finish`): expected `reason` to be `stop`, `length`, `refused` or `failed`',
    ],
  ])('%#', async (part, problem) => {
    const stream = yielding({ type: 'text', text: 'x' }, part, END);
    const failure = await failureOf(ask(model(stream, { name: 'my gateway' })));
    expect(failure).toMatchObject({ type: 'ModelAnswerUnreadable', nonRetryable: true });
    expect(failure.message).toContain(`The function of the model \`m\` yields what is not an answer (${problem}`);
    expect(failure.message).toMatch(/\. Correct its `stream`\.$/);
  });

  it.each<[unknown, string]>([
    [
      () => Promise.resolve([]),
      'expected an async generator, such as `async *stream(request, { signal }) { … }`, got a promise',
    ],
    [() => undefined, 'got nothing'],
    [() => [END], 'got a list'],
  ])('and so is what cannot be read in pieces: %#', async (stream, problem) => {
    const failure = await failureOf(ask(model(stream as ModelStream)));
    expect(failure).toMatchObject({ type: 'ModelAnswerUnreadable', nonRetryable: true });
    expect(failure.message).toContain(problem);
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
        await sleep(100);
        yield [];
      }
      yield END;
    };
    expect(await ask(model(stream, { idleTimeout: 500 }))).toMatchObject({ finishReason: 'stop' });
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

describe('a definition with a wrong field is refused by its name', () => {
  const stream = yielding(END);
  it.each<[unknown, string]>([
    [undefined, 'defineModel: Expected an object'],
    [{ model: 'm' }, 'defineModel.stream: Expected an async generator function'],
    [{ stream }, "defineModel.model: Expected the provider's name of the model"],
    [{ model: 'm', stream, name: '' }, 'defineModel.name: Expected a non-empty string'],
    [{ model: 'm', stream, secrets: 'x' }, 'defineModel.secrets: Expected a list of strings'],
    [
      { model: 'm', stream, contextwindow: 1 },
      'defineModel.contextwindow: Unknown field; did you mean `contextWindow`?',
    ],
    [{ model: 'm', stream, baseUrl: 'http://x' }, 'defineModel.baseUrl: Unknown field; known are `name`, `model`, '],
    [
      { model: 'm', stream, contextWindow: 'x' },
      'defineModel.contextWindow: Expected a whole number of at least 1, got a string',
    ],
    [{ model: 'm', stream, prices: { prompt: 1 } }, 'defineModel.prices.completion: Expected a price of at least 0'],
  ])('%#', (definition, message) => {
    expect(() => defineModel(definition as ModelDefinition)).toThrow(message);
  });

  it('durations may be words', () => {
    expect(model(stream, { idleTimeout: '30s' as never })).toMatchObject({ idleTimeout: 30_000 });
  });
});
