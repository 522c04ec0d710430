import { ApplicationFailure } from '@temporalio/activity';
import { ActivityCancellationDetails } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { createCallModel } from '../../../../activities/model/call-model';
import { CircuitBreaker } from '../../../../activities/model/circuit/breaker';
import type { ModelConfig } from '../../../../agent/model/config';
import type { Spending } from '../../../../agent/model/cost/spending';
import type { CallModelInput, CallModelResult, ModelHeartbeat } from '../../../../agent/protocol/calls/model-call';
import type { JsonSchema } from '../../../../agent/protocol/manifest';
import { defined } from '../../../../agent/values/defined';
import { fault, type ScriptStep, text } from '../../../kit/scripted-model';
import { plainManifest } from '../../plain-manifest';
import { configOf, model } from '../asking';

const prefix = { epoch: 0, length: 0, hash: '' };
const input: CallModelInput = {
  ...{ pin: { manifest: 'a', context: 'b' }, turn: 1, lifecycle: 'init', model: 'default' },
  ...{ prefix, transcript: { ...prefix, length: 1 } },
};
const BEFORE: ModelHeartbeat = {
  ...{ spent: 2000, failures: 1 },
  spending: { usage: { prompt: 100, completion: 10, estimated: true }, executionUnits: 110 },
};

interface Stage {
  step: ScriptStep | ScriptStep[];
  output?: JsonSchema;
  before?: ModelHeartbeat | undefined;
  config?: Partial<ModelConfig>;
  budget?: CallModelInput['budget'];
  /** Default: the call is loaded. */
  load?: () => Promise<never>;
  judge?: () => Promise<never>;
  /** Called when the first piece of text arrives. */
  onText?: (env: MockActivityEnvironment) => void;
}

/** One attempt at a model call, and the details of its heartbeats. */
async function attempt({ step, output, before, config = {}, budget, load, judge, onText }: Stage) {
  const server = await model(...[step].flat());
  const warn = jest.fn();
  const env = new MockActivityEnvironment(
    {
      ...{ attempt: before === undefined ? 1 : 2, activityId: '7', startToCloseTimeoutMs: 600_000 },
      ...{ workflowExecution: { workflowId: 'run-1', runId: 'r' }, heartbeatDetails: before },
    },
    { logger: new DefaultLogger('ERROR') },
  );
  const beats: ModelHeartbeat[] = [];
  env.on('heartbeat', (details: ModelHeartbeat) => beats.push(details));
  const activity = createCallModel({
    models: { default: { ...configOf(server), ...config } as ModelConfig },
    bus: { publish: ({ type }) => (type === 'stream.text' ? onText?.(env) : undefined), subscribe: () => () => {} },
    load:
      load ??
      (async () => ({
        manifest: { ...plainManifest, ...defined({ output }) },
        context: { metadata: {} },
        messages: [{ role: 'user', parts: [{ type: 'text', text: 'hi' }], turn: 0 }],
      })),
    checkServiceCalls: async ({ requests }) => [...requests],
    judge: judge ?? (async ({ requests }) => [...requests]),
    runTools: async ({ answer }) => answer,
    expect: () => {},
    leases: { during: (_, call) => call() },
    breaker: new CircuitBreaker({ warn: () => {} }),
    log: { warn },
  });
  const ended = await (env.run(activity, { ...input, ...defined({ budget }) }) as Promise<CallModelResult>).then(
    (answer) => ({ answer, failure: undefined }),
    (error: unknown) => ({ answer: undefined, failure: error as ApplicationFailure }),
  );
  return { ...ended, beats, warn, formats: server.requests.map(({ body }) => body.response_format?.type) };
}

const cut = fault({ kind: 'cut', after: 40 }, { text: 'x'.repeat(80), chunkSize: 40 });
const ok = text('Hello', { usage: { prompt: 7, completion: 3 } });

it('an attempt that breaks off passes its tokens on, and its failure tells them too', async () => {
  const { failure, beats } = await attempt({ step: cut });
  const spending = {
    usage: { prompt: expect.any(Number), completion: 10, estimated: true },
    executionUnits: expect.any(Number),
  };
  expect(failure).toMatchObject({ type: 'ModelUnavailable', nonRetryable: false, details: [{ model: 'm' }, spending] });
  expect(beats.at(-1)).toMatchObject({ failures: 1, spending });
});

it('the next attempt adds them to its answer, once', async () => {
  const { answer } = await attempt({ step: ok, before: BEFORE });
  expect(answer).toMatchObject({ usage: { prompt: 107, completion: 13, estimated: true }, executionUnits: 120 });
});

it('attempts that report their tokens leave no estimate', async () => {
  const before = { ...BEFORE, spending: { usage: { prompt: 100, completion: 10 }, executionUnits: 110 } };
  const { answer } = await attempt({ step: ok, before });
  expect(answer?.usage).toEqual({ prompt: 107, completion: 13 });
});

it('the last failure has the sum of all attempts', async () => {
  const { failure } = await attempt({ step: fault({ kind: 'status', status: 401 }), before: BEFORE });
  expect(failure).toMatchObject({ type: 'ModelUnauthorized', nonRetryable: true, details: [{}, BEFORE.spending] });
});

it('a refused attempt adds nothing, and keeps the outage and the cost of those before it', async () => {
  const { failure, beats } = await attempt({ step: fault({ kind: 'status', status: 503 }), before: BEFORE });
  expect(failure).toMatchObject({ type: 'ModelUnavailable', nonRetryable: false });
  expect(beats.at(-1)).toMatchObject({ failures: 2, spending: BEFORE.spending });
});

it('an attempt that costs nothing adds no partial answer to its failure', async () => {
  const { failure, beats } = await attempt({ step: fault({ kind: 'status', status: 503 }) });
  expect(failure?.details?.[1]).toMatchObject({ usage: { prompt: 0, completion: 0 }, executionUnits: 0 });
  expect(beats.at(-1)).not.toHaveProperty('spending');
});

it('heartbeats say what was used so far: the attempt may be lost with its worker', async () => {
  const { failure, beats } = await attempt({
    step: fault({ kind: 'stall', after: 40 }, { text: 'x'.repeat(80), chunkSize: 40 }),
    before: BEFORE,
    onText: (env) => env.on('heartbeat', () => env.cancel()),
  });
  expect(beats[0]).toMatchObject({
    spent: 2000,
    failures: 1,
    spending: { usage: { completion: 20, estimated: true } },
  });
  expect(beats[0]?.spending?.usage.prompt).toBeGreaterThan(100);
  // The run itself was cancelled: its partial answer has the cost of all attempts.
  expect(failure).toMatchObject({
    name: 'CancelledFailure',
    details: [{ usage: { completion: 20, estimated: true } }],
  });
});

it('an attempt that ends with its worker passes its tokens on', async () => {
  const { failure, beats } = await attempt({
    step: fault({ kind: 'stall', after: 40 }, { text: 'x'.repeat(80), chunkSize: 40 }),
    before: BEFORE,
    onText: (env) => env.cancel('WORKER_SHUTDOWN', new ActivityCancellationDetails({ workerShutdown: true })),
  });
  expect(failure).toMatchObject({ type: 'WorkerShutdown', details: [null, { usage: { completion: 20 } }] });
  expect(beats.at(-1)).toMatchObject({ spent: 2000, failures: 1, spending: { usage: { completion: 20 } } });
});

it('an answer whose calls could not be judged is paid for', async () => {
  const { failure, beats } = await attempt({
    step: ok,
    before: BEFORE,
    judge: () => Promise.reject(ApplicationFailure.create({ type: 'RuleFailed', message: 'no', details: [{ a: 1 }] })),
  });
  const sum = { usage: { prompt: 107, completion: 13 }, executionUnits: 120 };
  expect(failure).toMatchObject({ type: 'RuleFailed', details: [{ a: 1 }, sum] });
  expect(beats.at(-1)).toMatchObject({ spending: sum });
});

it('money is added as money, and is unknown if an attempt had no price', async () => {
  const prices = { prompt: 1_000_000, completion: 2_000_000 };
  const priced = {
    ...BEFORE,
    spending: { usage: { prompt: 5, completion: 1 }, executionUnits: 7, cost: { amount: 7, currency: 'USD' } },
  };
  expect((await attempt({ step: ok, before: priced, config: { prices } })).answer).toMatchObject({
    executionUnits: 20,
    cost: { amount: 20, currency: 'USD' },
  });
  // What an attempt without prices has used stays apart.
  expect((await attempt({ step: ok, before: BEFORE, config: { prices } })).answer).toMatchObject({
    cost: { amount: 13, currency: 'USD' },
    unpriced: { calls: 1 },
  });
});

it('a heartbeat that another version wrote is ignored', async () => {
  const before = { spent: 1, failures: 1, spending: { usage: 'much' } } as unknown as ModelHeartbeat;
  expect((await attempt({ step: ok, before })).answer?.usage).toEqual({ prompt: 7, completion: 3 });
});

it('the warning about a usage names the alias', async () => {
  const { warn } = await attempt({ step: text('Hello', { usage: { prompt: 5_000_000, completion: 3 } }) });
  expect(warn).toHaveBeenCalledTimes(1);
  expect(warn.mock.calls[0]?.[1]).toMatch(/^Model `default`: the reported usage of 5000000 \+ 3 tokens .* \d+ \+ 2 /);
});

describe('a server that refuses an output format', () => {
  const refused = fault({ kind: 'status', status: 400, message: 'response_format is not supported' });
  const busy = fault({ kind: 'status', status: 503 });
  const downgraded = { from: 'schema', to: 'json_object', why: expect.stringContaining('response_format') };
  const output = { type: 'object' };

  it('is asked in the way that is left by the next attempt, too, and the answer of that tells it', async () => {
    const first = await attempt({ step: [refused, busy], output });
    expect(first.failure).toMatchObject({ type: 'ModelUnavailable', details: [{}, { downgraded }] });
    expect(first.beats.at(-1)).toMatchObject({ failures: 1, downgraded });
    const second = await attempt({ step: text('{"a":1}'), output, before: first.beats.at(-1) });
    expect(second).toMatchObject({ answer: { type: 'json', downgraded }, formats: ['json_object'] });
  });

  it('may refuse more in the next attempt: the answer tells the first way and the last', async () => {
    const before: ModelHeartbeat = { downgraded: { from: 'schema', to: 'json_object', why: 'before' } };
    const { answer, formats } = await attempt({ step: [refused, text('{"a":1}')], output, before });
    expect(answer?.downgraded).toEqual({ ...downgraded, to: 'prompt' });
    expect(formats).toEqual(['json_object', undefined]);
  });

  it('and every other way: the next call begins with the best one again', async () => {
    const { failure, beats } = await attempt({ step: [refused, refused, refused], output });
    expect(failure).toMatchObject({ type: 'ModelRequestInvalid' });
    expect(failure?.details?.[1]).not.toHaveProperty('downgraded');
    expect(beats.at(-1)).not.toHaveProperty('downgraded');
  });
});

describe('with a budget', () => {
  const budget = { tokens: 100_000 };
  const load = () => Promise.reject(ApplicationFailure.create({ type: 'Interrupted', message: 'no answer' }));
  const reserved = { usage: { prompt: 50, completion: 500, estimated: true as const }, executionUnits: 550 };

  it('an attempt that failed before it asked the model has cost nothing', async () => {
    const { beats } = await attempt({ step: ok, budget, load });
    const { answer } = await attempt({ step: ok, budget, before: beats.at(-1) });
    expect(answer?.usage).toEqual({ prompt: 7, completion: 3 });
  });

  it('nor does it change what the attempts before it have cost', async () => {
    const before: ModelHeartbeat = { ...BEFORE, settled: { attempts: 1, spending: BEFORE.spending as Spending } };
    const { beats } = await attempt({ step: ok, budget, load, before });
    const { answer } = await attempt({ step: ok, budget, before: beats.at(-1) });
    expect(answer?.usage).toEqual({ prompt: 107, completion: 13, estimated: true });
  });

  it('a lost attempt counts as all that was set aside for it, also where the next one cannot ask the model', async () => {
    const before: ModelHeartbeat = {
      ...{ spending: { usage: { prompt: 50, completion: 1 }, executionUnits: 51 }, reserved },
      settled: { attempts: 0, spending: { usage: { prompt: 0, completion: 0 }, executionUnits: 0 } },
    };
    const { failure } = await attempt({ step: ok, budget, load, before });
    expect(failure).toMatchObject({ details: [null, reserved] });
  });
});
