import { ApplicationFailure, CancelledFailure } from '@temporalio/activity';
import { ActivityCancellationDetails } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { type CallModelDeps, createCallModel } from '../../../activities/model/call-model';
import { CircuitBreaker } from '../../../activities/model/circuit/breaker';
import type { CallModelInput, PartialAnswer } from '../../../agent/protocol/calls/model-call';
import type { StreamDelta } from '../../../agent/protocol/stream';
import { closeAfterTest } from '../../close-after-test';
import { fault, ScriptedModel, type ScriptStep, text } from '../../kit/scripted-model';
import { plainManifest } from '../plain-manifest';

const manifest = plainManifest;
const prefix = { epoch: 0, length: 0, hash: '' };
const input: CallModelInput = {
  pin: { manifest: 'a', context: 'b' },
  turn: 3,
  lifecycle: 'init',
  model: 'default',
  prefix,
  transcript: { ...prefix, length: 1 },
};

async function setUp(step: ScriptStep, extra: Partial<CallModelDeps> = {}) {
  const server = closeAfterTest(await new ScriptedModel(step).start());
  const deltas: StreamDelta[] = [];
  const listeners: ((delta: StreamDelta) => void)[] = [];
  const activity = createCallModel({
    models: { default: { baseUrl: server.url, model: 'm' } },
    bus: {
      publish: (delta) => {
        deltas.push(delta);
        for (const listener of listeners) listener(delta);
      },
      subscribe: () => () => {},
    },
    load: async () => ({
      manifest,
      context: { system: 'Be brief', metadata: {} },
      messages: [{ role: 'user', parts: [{ type: 'text', text: 'hi' }], turn: 2 }],
    }),
    breaker: new CircuitBreaker({ warn: () => {} }),
    checkServiceCalls: async ({ requests }) => [...requests],
    judge: async ({ requests }) => [...requests],
    runTools: async ({ answer }) => answer,
    expect: () => {},
    leases: { during: (_, call) => call() },
    ...extra,
  });
  return { server, deltas, activity, onDelta: (listener: (delta: StreamDelta) => void) => listeners.push(listener) };
}

const environment = (attempt = 1, startToCloseTimeoutMs = 600_000) =>
  new MockActivityEnvironment(
    { attempt, activityId: '7', workflowExecution: { workflowId: 'run-1', runId: 'r' }, startToCloseTimeoutMs },
    { logger: new DefaultLogger('ERROR') },
  );

async function thrownBy(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

test('answers with system prompt and transcript, and publishes what arrives', async () => {
  const { server, deltas, activity } = await setUp(text('Hello', { chunkSize: 3 }));
  const answer = await environment().run(activity, { ...input, facts: 6 });
  expect(answer).toMatchObject({ type: 'text', parts: [{ type: 'text', text: 'Hello' }] });
  expect(server.requests[0]?.body.messages).toEqual([
    { role: 'system', content: 'Be brief' },
    { role: 'user', content: 'hi' },
  ]);
  const place = { id: 'run-1', turn: 3, callId: '7', attempt: 1, after: 6 };
  expect(deltas).toEqual([
    { ...place, seq: 0, type: 'stream.text', text: 'Hel' },
    { ...place, seq: 1, type: 'stream.text', text: 'lo' },
    { ...place, seq: 2, type: 'stream.complete' },
  ]);
});

test('a later attempt first withdraws what the previous one has shown', async () => {
  const { deltas, activity } = await setUp(text('x'));
  await environment(2).run(activity, input);
  expect(deltas.map(({ type, attempt, seq }) => [type, attempt, seq])).toEqual([
    ['stream.clear', 2, 0],
    ['stream.text', 2, 1],
    ['stream.complete', 2, 2],
  ]);
});

test('heartbeats go on while the model is silent', async () => {
  const { activity, server } = await setUp(fault({ kind: 'stall', after: 0 }));
  const env = environment();
  let beats = 0;
  const third = new Promise<void>((resolve) => {
    env.on('heartbeat', () => {
      if (++beats === 3) resolve();
    });
  });
  const work = thrownBy(env.run(activity, input));
  await third;
  env.cancel();
  expect(await work).toBeInstanceOf(CancelledFailure);
  await server.requests[0]?.socketClosed;
});

test('an answer that keeps arriving ends before its attempt does, and is not asked for again', async () => {
  const { activity, server } = await setUp(text('x'.repeat(10_000), { chunkSize: 1, chunkDelay: 50 }));
  const error = (await thrownBy(environment(1, 1000).run(activity, input))) as ApplicationFailure;
  expect(error).toMatchObject({ type: 'ModelAnswerTooSlow', nonRetryable: true });
  expect(error.message).toContain('the limit is `limits.modelTimeout` of the agent');
  expect(error.details?.[1]).toMatchObject({ parts: [{ type: 'text', text: expect.stringMatching(/^x+$/) }] });
  await server.requests[0]?.socketClosed;
});

test('a cancel closes the socket and returns text and usage so far', async () => {
  const { activity, server, deltas, onDelta } = await setUp(
    fault({ kind: 'stall', after: 8 }, { text: 'Hello world', chunkSize: 8 }),
  );
  const env = environment();
  onDelta(() => env.cancel());
  const error = (await thrownBy(env.run(activity, input))) as CancelledFailure;
  expect(error).toBeInstanceOf(CancelledFailure);
  const [partial] = error.details as [PartialAnswer];
  expect(partial.parts).toEqual([{ type: 'text', text: 'Hello wo' }]);
  expect(partial.usage).toEqual({ prompt: expect.any(Number), completion: 2, estimated: true });
  expect(partial.executionUnits).toBe(partial.usage.prompt + 2);
  expect(deltas.map(({ type }) => type)).toEqual(['stream.text']);
  await server.requests[0]?.socketClosed;
});

test.each([
  ['WORKER_SHUTDOWN', { workerShutdown: true }, 'WorkerShutdown'],
  ['PAUSED', { paused: true }, 'Interrupted'],
  ['RESET', { reset: true }, 'Interrupted'],
] as const)('%s is not a cancel: the call is made again elsewhere', async (reason, details, type) => {
  const { activity, onDelta } = await setUp(fault({ kind: 'stall', after: 2 }, { text: 'Hello' }));
  const env = environment();
  onDelta(() => env.cancel(reason, new ActivityCancellationDetails(details)));
  const error = (await thrownBy(env.run(activity, input))) as ApplicationFailure;
  expect(error).toBeInstanceOf(ApplicationFailure);
  expect(error).toMatchObject({ type, nonRetryable: false });
  expect(error.details?.[1]).toMatchObject({ parts: [{ type: 'text', text: 'He' }] });
});

test('a cancel while the transcript is loaded sends nothing', async () => {
  const env = environment();
  const { activity, server } = await setUp(text('x'), {
    load: async () => {
      env.cancel();
      throw new Error('aborted');
    },
  });
  expect(await thrownBy(env.run(activity, input))).toMatchObject({
    name: 'CancelledFailure',
    details: [{ parts: [], usage: { prompt: 0, completion: 0 }, executionUnits: 0 }],
  });
  expect(server.requests).toHaveLength(0);
});

test.each(['fast', 'constructor'])(
  'the unknown alias %s is final, and the error names the known ones',
  async (alias) => {
    const { activity } = await setUp(text('x'), {
      load: async () => ({ manifest, context: { metadata: {} }, messages: [] }),
    });
    expect(await thrownBy(environment().run(activity, { ...input, model: alias }))).toMatchObject({
      type: 'UnknownModel',
      nonRetryable: true,
      message: expect.stringContaining('known are `default`'),
      details: [{ alias, known: ['default'] }],
    });
  },
);

test('an answer that breaks off is a failure that is retried, with the text so far and without `stream.complete`', async () => {
  const { activity, deltas } = await setUp(fault({ kind: 'cut', after: 2 }, { text: 'Hello' }));
  expect(await thrownBy(environment().run(activity, input))).toMatchObject({
    type: 'ModelUnavailable',
    nonRetryable: false,
    details: [{ model: 'm' }, { parts: [{ type: 'text', text: 'He' }] }],
  });
  expect(deltas.map(({ type }) => type)).toEqual(['stream.text']);
});
