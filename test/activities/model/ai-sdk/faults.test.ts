import { aiSdk } from 'holdfast/worker';
import { ModelCallStopped } from '../../../../activities/model/answer/stream-answer';
import { newGate } from '../../../gate';
import { ask, failureOf } from '../asking';
import { finish, object } from './object';

describe('whatever an object throws or sends as an error is a clear failure', () => {
  const named = (name: string, message: string, more = {}) => Object.assign(new Error(message), { name, ...more });
  test.each<[string, unknown, string, string]>([
    ['a text', 'no luck', 'ModelUnavailable', 'no luck'],
    ['nothing', undefined, 'ModelUnavailable', 'undefined'],
    ['an empty object', {}, 'ModelUnavailable', ''],
    ['what cannot be a text', { message: { toString: 1 }, type: ['x'] }, 'ModelUnavailable', ''],
    [
      'an error of the connection',
      named('TypeError', 'fetch failed', { cause: new Error('ECONNRESET') }),
      'ModelUnavailable',
      'ECONNRESET',
    ],
    ['a status only', named('AI_APICallError', '', { statusCode: 403 }), 'ModelUnauthorized', 'status 403'],
    [
      'an unsupported part',
      named('AI_UnsupportedFunctionalityError', 'media type: video/x'),
      'ModelRequestInvalid',
      'video/x',
    ],
    [
      'an event that is nested beyond every stack',
      named('RangeError', 'Maximum call stack size exceeded'),
      'ModelAnswerUnreadable',
      'cannot read',
    ],
    ['no such model', named('AI_NoSuchModelError', 'No such languageModel: x'), 'ModelNotFound', 'No such'],
    [
      'headers that are none',
      named('AI_APICallError', 'no', { statusCode: 429, responseHeaders: { 'retry-after': 'a\nb' } }),
      'ModelRateLimited',
      'no',
    ],
    [
      'nested deep',
      named('AI_APICallError', 'deep', { statusCode: 400, responseBody: '['.repeat(30_000) }),
      'ModelRequestInvalid',
      '[',
    ],
  ])('%s', async (_, error, type, words) => {
    const failed = {
      thrown: async () => {
        throw error;
      },
      sent: async () => ({ stream: ReadableStream.from([{ type: 'error', error }, finish]) }),
    };
    for (const doStream of Object.values(failed)) {
      const failure = await failureOf(ask(aiSdk(object([], { doStream }))));
      expect(failure).toMatchObject({ type });
      expect(failure.message).toContain(words);
      expect(failure.message.length).toBeLessThan(1000);
    }
  });

  test.each([
    ['nothing', undefined],
    ['no stream', {}],
    ['another stream', { stream: { read: () => {} } }],
  ])('an object that returns %s', async (_, answer) => {
    const model = object([], { doStream: async () => answer as never });
    const failure = await failureOf(ask(aiSdk(model)));
    expect(failure).toMatchObject({ type: 'ModelAnswerUnreadable', nonRetryable: true });
    expect(failure.message).toContain('returns no stream');
  });

  test('an object that throws before it promises anything', async () => {
    const doStream = () => {
      throw new Error('not set up');
    };
    expect((await failureOf(ask(aiSdk(object([], { doStream }))))).message).toContain('not set up');
  });
});

describe('an object that ignores the signal', () => {
  const never = new Promise<never>(() => {});
  test.each<[string, () => Promise<never>]>([
    ['before it answers', () => never],
    ['within its answer', async () => ({ stream: new ReadableStream({ pull: () => never }) }) as never],
  ])('%s is not waited for', async (_, doStream) => {
    const model = aiSdk(object([], { doStream }), { idleTimeout: 200 });
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 20);
    await expect(ask(model, { signal: stop.signal })).rejects.toThrow(ModelCallStopped);
    expect((await failureOf(ask(model))).message).toContain('nothing arrived for 200 ms');
  });

  test('after the call was given up is stopped', async () => {
    const { open: cancelled, opened: stopped } = newGate();
    const stop = new AbortController();
    const late = new Promise<never>((resolve) => {
      stop.signal.addEventListener('abort', () => {
        setTimeout(() => resolve({ stream: new ReadableStream({ cancel: () => cancelled() }) } as never), 20);
      });
    });
    const call = ask(aiSdk(object([], { doStream: () => late })), { signal: stop.signal });
    stop.abort();
    await expect(call).rejects.toThrow(ModelCallStopped);
    await stopped;
  });
});

// A package that reads the body by itself would get the error of an aborted one where it waits for nothing.
test('the stream is cancelled before its request is aborted', async () => {
  const stop = new AbortController();
  const order: string[] = [];
  const ended = newGate();
  const call = ask(
    aiSdk(
      object([], {
        doStream: async (given: never) => {
          const { abortSignal } = given as { abortSignal: AbortSignal };
          abortSignal.addEventListener('abort', () => {
            order.push('aborted');
            ended.open();
          });
          return { stream: new ReadableStream({ cancel: () => void order.push('cancelled') }) };
        },
      }),
    ),
    { signal: stop.signal },
  );
  setTimeout(() => stop.abort(), 20);
  await expect(call).rejects.toThrow(ModelCallStopped);
  await ended.opened;
  expect(order).toEqual(['cancelled', 'aborted']);
});
