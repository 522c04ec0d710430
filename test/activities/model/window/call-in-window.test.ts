import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { createCallModel } from '../../../../activities/model/call-model';
import { CircuitBreaker } from '../../../../activities/model/circuit/breaker';
import type { ServerModel } from '../../../../agent/model/config';
import type { Message } from '../../../../agent/model/message';
import type { CallModelInput, CallModelResult, PartialAnswer } from '../../../../agent/protocol/calls/model-call';
import { closeAfterTest } from '../../../close-after-test';
import { fault, ScriptedModel, type ScriptStep, text } from '../../../kit/scripted-model';
import { plainManifest } from '../../plain-manifest';

const manifest = plainManifest;
const place = { epoch: 0, length: 0, hash: '' };
const words = (count: number) => 'word '.repeat(count).trim();

/** A question of 11 tokens, then rounds of a call and a result of about 100 tokens. */
function rounds(count: number, size = 80): Message[] {
  const question: Message = { role: 'user', parts: [{ type: 'text', text: `Q ${words(6)}` }], turn: 0 };
  return [
    question,
    ...Array.from({ length: count }, (_, n): Message[] => [
      {
        role: 'assistant',
        turn: n + 1,
        parts: [{ type: 'tool_use', toolUseId: `t${n + 1}.1`, name: 'look', input: { n } }],
      },
      {
        role: 'user',
        turn: n + 1,
        parts: [
          {
            type: 'tool_result',
            toolUseId: `t${n + 1}.1`,
            name: 'look',
            content: [{ type: 'text', text: `R${n} ${words(size)}` }],
          },
        ],
      },
    ]).flat(),
  ];
}

async function setUp(steps: ScriptStep[], config: Partial<ServerModel>, messages: Message[]) {
  const server = closeAfterTest(await new ScriptedModel(...steps).start());
  const activity = createCallModel({
    models: { default: { baseUrl: server.url, model: 'm', ...config } },
    bus: { publish: () => {}, subscribe: () => () => {} },
    leases: { during: (_, call) => call() },
    breaker: new CircuitBreaker({ warn: () => {} }),
    checkServiceCalls: async ({ requests }) => [...requests],
    judge: async ({ requests }) => [...requests],
    runTools: async ({ answer }) => answer,
    expect: () => {},
    load: async () => ({ manifest, context: { system: 'Be brief', metadata: {} }, messages }),
  });
  const ask = (more: Partial<CallModelInput> = {}): Promise<CallModelResult> => {
    const input: CallModelInput = {
      pin: { manifest: 'a', context: 'b' },
      turn: 30,
      lifecycle: 'tool_result',
      model: 'default',
      prefix: place,
      transcript: { ...place, length: messages.length },
      ...more,
    };
    const info = { workflowExecution: { workflowId: 'run-1', runId: 'r' }, startToCloseTimeoutMs: 600_000 };
    return new MockActivityEnvironment(info, { logger: new DefaultLogger('ERROR') }).run(activity, input);
  };
  const sent = (number: number) => server.requests[number - 1]?.body.messages ?? [];
  return { server, ask, sent };
}

async function failureOf(work: Promise<unknown>): Promise<ApplicationFailure> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ApplicationFailure)) throw new Error(`Expected a failure, got ${String(error)}`);
  return error;
}

const partialOf = (failure: ApplicationFailure) => failure.details?.[1] as PartialAnswer | undefined;
const tooLong = (message?: string) =>
  fault({
    kind: 'status',
    status: 400,
    code: 'context_length_exceeded',
    ...(message === undefined ? {} : { message }),
  });

it('sends system prompt, question and the newest rounds that fit, and reports the usage', async () => {
  const { ask, sent } = await setUp(
    [text('ok', { usage: { prompt: 900, completion: 1 } })],
    { contextWindow: 2000 },
    rounds(20),
  );
  const { budget, trimming } = await ask({ trimming: { from: 0 }, opened: 0 });
  const roles = sent(1).map(({ role }) => role);
  expect(roles.slice(0, 4)).toEqual(['system', 'user', 'assistant', 'tool']);
  expect(sent(1)[1]?.content).toMatch(/^Q word/);
  expect(sent(1).at(-1)?.content).toMatch(/^R19 /);
  // 1,308 tokens may be sent, of which three quarters are used.
  expect(trimming?.from).toBe(41 - (sent(1).length - 2));
  expect(budget).toMatchObject({ turn: 30, total: 2000, used: 900, remaining: 600, counted: 'usage' });
  expect(budget?.dropped).toBe(41 - (sent(1).length - 1));
  expect(trimming?.factor).toBeCloseTo(1, 0);
});

it('sends everything and counts nothing if no window is known', async () => {
  const { ask, sent } = await setUp([text('ok')], {}, rounds(20));
  const answer = await ask();
  expect(sent(1)).toHaveLength(42);
  expect(answer).not.toHaveProperty('budget');
  expect(answer).not.toHaveProperty('memory');
});

it('uses the count of the server for the room of the next call', async () => {
  const steps = [text('ok'), text('ok')];
  const { ask, sent } = await setUp(steps, { contextWindow: 4000 }, rounds(20));
  await ask({ trimming: { from: 0, factor: 1 }, opened: 0 });
  await ask({ trimming: { from: 0, factor: 2 }, opened: 0 });
  expect(sent(1)).toHaveLength(42);
  expect(sent(2).length).toBeLessThan(25);
});

it('tells the model that something is missing if the request would begin with an answer of the model', async () => {
  const messages = rounds(20);
  const { ask, sent } = await setUp([text('ok')], { contextWindow: 2000 }, [
    ...messages,
    { role: 'assistant', parts: [{ type: 'text', text: 'done' }], turn: 21 },
    { role: 'user', parts: [{ type: 'text', text: 'and now?' }], turn: 21 },
  ]);
  await ask({ trimming: { from: 0 }, opened: messages.length + 1 });
  expect(sent(1)[1]).toEqual({ role: 'user', content: '[Earlier messages are left out.]' });
  expect(sent(1)[2]?.role).toBe('assistant');
  expect(sent(1).at(-1)?.content).toBe('and now?');
});

it('makes no call if what must be sent does not fit, and names what is too large', async () => {
  const { ask, server } = await setUp([], { contextWindow: 2000 }, rounds(3, 3000));
  const failure = await failureOf(ask({ trimming: { from: 0 }, opened: 0 }));
  expect(failure).toMatchObject({ type: 'ModelContextTooLong', nonRetryable: true });
  expect(failure.message).toMatch(
    /message 6, a result of `look`, has 30\d\d tokens; of a window of 2000 only 1308 can be sent, system prompt and tools \(\d+\) included/,
  );
  expect(partialOf(failure)).toBeUndefined();
  expect(server.requests).toHaveLength(0);
});

it('learns a window from a refusal, from the number if the server gives one', async () => {
  const stated = "This model's maximum context length is 1800 tokens. However, your messages resulted in 2100 tokens.";
  const { ask, sent } = await setUp([tooLong(), tooLong(stated), text('ok')], {}, rounds(20));
  const guessed = partialOf(await failureOf(ask()))?.trimming;
  // Out of about 1,900 tokens.
  expect(guessed).toEqual({ from: 0, window: expect.any(Number) });
  expect(guessed?.window).toBeGreaterThan(1100);
  expect(guessed?.window).toBeLessThan(1500);
  const read = partialOf(await failureOf(ask()))?.trimming;
  expect(read).toEqual({ from: 0, window: 1800, factor: expect.any(Number) });
  const { budget } = await ask({ ...(read === undefined ? {} : { trimming: read }), opened: 0 });
  expect(budget?.total).toBe(1800);
  expect(sent(3).length).toBeLessThan(30);
});

it('sends less after each refusal until only mandatory messages are left, then the refusal is final', async () => {
  const steps = Array.from({ length: 12 }, () => tooLong());
  const { ask, sent } = await setUp(steps, { contextWindow: 100_000 }, rounds(20));
  let trimming: PartialAnswer['trimming'] = { from: 0 };
  let calls = 0;
  for (; trimming !== undefined && calls < 12; calls++) {
    trimming = partialOf(await failureOf(ask({ trimming, opened: 0 })))?.trimming;
  }
  const lengths = Array.from({ length: calls }, (_, i) => sent(i + 1).length);
  expect(lengths[0]).toBe(42);
  expect([...new Set(lengths)].sort((a, b) => b - a)).toEqual(lengths);
  // System prompt, question, last call, its result.
  expect(lengths.at(-1)).toBe(4);
});
