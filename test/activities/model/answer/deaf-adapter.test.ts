import { setTimeout as pause } from 'node:timers/promises';
import { ModelCallStopped } from '../../../../activities/model/answer/stream-answer';
import { ModelServerError } from '../../../../activities/model/failures/server-error';
import type { AnswerEvents, ModelAdapter, ModelPart } from '../../../../agent/model/adapter';
import type { AdaptedModel } from '../../../../agent/model/config';
import { newGate } from '../../../gate';
import { ask, failureOf } from '../asking';

/** A model whose adapter does not look at its signal. */
function deaf(stream: () => AsyncIterable<AnswerEvents>, extra: Partial<AdaptedModel> = {}) {
  let calls = 0;
  const adapter: ModelAdapter = {
    kind: 'deaf',
    provider: 'gateway',
    stream() {
      calls++;
      return stream();
    },
  };
  return { config: { model: 'm', adapter, ...extra }, calls: () => calls };
}

const never = new Promise<never>(() => {});
const hello: ModelPart[] = [{ type: 'text', text: 'hello' }];

describe('an adapter that ignores its signal', () => {
  async function* hangs() {
    yield [hello];
    await never;
  }

  test('does not hold up a cancel', async () => {
    const stop = new AbortController();
    const call = ask(deaf(hangs).config, { signal: stop.signal, onDelta: () => stop.abort() });
    const error = await call.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ModelCallStopped);
    expect(error).toMatchObject({ partial: { parts: [{ type: 'text', text: 'hello' }] } });
  });

  test('does not hold up the end of a silence', async () => {
    const failure = await failureOf(ask(deaf(hangs, { idleTimeout: 100 }).config));
    expect(failure).toMatchObject({ type: 'ModelUnavailable', nonRetryable: false });
    expect(failure.message).toContain('nothing arrived for 100 ms');
    expect(failure.details?.[1]).toMatchObject({ parts: [{ type: 'text', text: 'hello' }] });
  });

  test('is not called after the cancel', async () => {
    const { config, calls } = deaf(hangs);
    await expect(ask(config, { signal: AbortSignal.abort() })).rejects.toThrow(ModelCallStopped);
    expect(calls()).toBe(0);
  });

  test('does not hold up an answer that has ended but for its stream', async () => {
    async function* ends() {
      yield [[...hello, { type: 'finish', reason: 'stop' } as const]];
      await never;
    }
    expect(await ask(deaf(ends).config)).toMatchObject({ parts: [{ text: 'hello' }], finishReason: 'stop' });
  });

  test('whose clean-up hangs or fails costs nothing of an answer that is full', async () => {
    for (const cleanUp of [() => never, () => Promise.reject(new Error('no clean-up'))]) {
      const { open: closing, opened: closed } = newGate();
      async function* floods() {
        try {
          for (;;) yield [[{ type: 'text', text: 'x'.repeat(100_000) } as const]];
        } finally {
          closing();
          await cleanUp();
        }
      }
      expect(await ask(deaf(floods).config)).toMatchObject({ finishReason: 'length' });
      await closed;
    }
  });
});

test('a status that is read after the abort is kept', async () => {
  async function* late(): AsyncGenerator<AnswerEvents> {
    yield [];
    await pause(300);
    throw new ModelServerError('no key', { status: 401 });
  }
  const failure = await failureOf(ask(deaf(late, { idleTimeout: 100 }).config));
  expect(failure).toMatchObject({ type: 'ModelUnauthorized', nonRetryable: true });
});
