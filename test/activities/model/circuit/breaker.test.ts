import { ApplicationFailure } from '@temporalio/common';
import { ModelCallStopped } from '../../../../activities/model/answer/stream-answer';
import { CircuitBreaker } from '../../../../activities/model/circuit/breaker';
import { OPEN } from '../../../../activities/model/circuit/circuit';
import { TermsRefused } from '../../../../activities/model/output/refusals';
import { NO_USAGE } from '../../../../agent/model/cost/usage';
import { closeAfterTest } from '../../../close-after-test';
import { newGate } from '../../../gate';
import { serveModel } from '../../../kit/model-server';
import { text } from '../../../kit/scripted-model';
import { ask, failureOf } from '../asking';

interface Server {
  status?: number;
  answer?: () => Promise<void>;
}

/** A server that is up or down as a test says, and the breaker in front of it. */
async function setUp() {
  const state: Server & { now: number; requests: number } = { now: Date.UTC(2026, 0, 2), requests: 0, status: 503 };
  const server = closeAfterTest(
    await serveModel(async () => {
      state.requests++;
      await state.answer?.();
      return state.status === undefined ? text('Back.') : { fault: { kind: 'status', status: state.status } };
    }),
  );
  const config = { baseUrl: server.url, model: 'm' };
  const warned: [object, string | undefined][] = [];
  const breaker = new CircuitBreaker({ warn: (fields, line) => warned.push([fields, line]) });
  const call = (alias = 'default', isAsked = false) =>
    breaker.guard({ alias, config, now: () => state.now, isAsked }, (answers) => ask(config, { onDelta: answers }));
  const fail = async (times: number, alias?: string) => {
    for (let i = 0; i < times; i++) await failureOf(call(alias));
  };
  return { state, warned, breaker, config, call, fail };
}

it('makes no request while it is open: 50 calls fail at once, and say since when and why', async () => {
  const { state, warned, call, fail } = await setUp();
  await fail(5);
  state.now += 4000;
  const failures = await Promise.all(Array.from({ length: 50 }, () => failureOf(call())));
  expect(state.requests).toBe(5);
  for (const failure of failures) {
    expect(failure).toMatchObject({ type: 'ModelUnavailable', nextRetryDelay: OPEN - 4000 });
    expect(failure.nonRetryable).not.toBe(true);
  }
  expect(failures[0]?.message).toMatch(
    /the circuit of this worker is open since 2026-01-02T00:00:00\.000Z, it lets the next call through in 11 s; the last call failed: 503/,
  );
  // A server that says 503 did answer.
  expect(failures[0]?.message).toMatch(/gave no usable answer .*Try again later/);
  expect(warned).toEqual([[{ model: 'default', problem: expect.stringContaining('503') }, expect.any(String)]]);
});

it('lets one of 50 calls through when its time is over, and all of them when that one is answered', async () => {
  const { state, warned, call, fail } = await setUp();
  await fail(5);
  state.now += OPEN;
  const gate = newGate();
  state.answer = () => gate.opened;
  const probe = call();
  const others = await Promise.all(Array.from({ length: 49 }, () => failureOf(call())));
  expect(others.every(({ message }) => message.includes('another call is trying it'))).toBe(true);
  delete state.status;
  gate.open();
  await probe;
  expect(state.requests).toBe(6);
  await Promise.all(Array.from({ length: 50 }, () => call()));
  expect(state.requests).toBe(56);
  expect(warned.map(([, line]) => line)).toEqual([
    expect.stringMatching(/is open/),
    expect.stringMatching(/is closed/),
  ]);
});

it('has the call that opens it, and a probe that fails, retried when it lets a call through', async () => {
  const { state, call, fail } = await setUp();
  await fail(3);
  expect((await failureOf(call())).nextRetryDelay).toBeUndefined();
  expect(await failureOf(call())).toMatchObject({
    message: expect.not.stringContaining('circuit'),
    nextRetryDelay: OPEN,
  });
  state.now += OPEN;
  expect(await failureOf(call())).toMatchObject({
    message: expect.not.stringContaining('circuit'),
    nextRetryDelay: OPEN,
  });
});

it('lets a call through that a person asked for, and closes if that one is answered', async () => {
  const { state, call, fail } = await setUp();
  await fail(5);
  expect(await failureOf(call('default', true))).toMatchObject({ message: expect.not.stringContaining('circuit') });
  expect(state.requests).toBe(6);
  await fail(1);
  expect(state.requests).toBe(6);
  delete state.status;
  await call('default', true);
  await call();
  expect(state.requests).toBe(8);
});

it('warns once for an outage, however many probes fail', async () => {
  const { state, warned, fail } = await setUp();
  await fail(5);
  for (let i = 0; i < 3; i++) {
    state.now += OPEN;
    await fail(1);
  }
  expect(state.requests).toBe(8);
  expect(warned).toHaveLength(1);
});

it('goes on as soon as the answer to the probe has begun', async () => {
  const { breaker, config, state, call, fail } = await setUp();
  await fail(5);
  state.now += OPEN;
  delete state.status;
  const gate = newGate();
  const probe = breaker.guard({ alias: 'default', config, now: () => state.now }, async (answers) => {
    answers();
    await gate.opened;
  });
  await call();
  gate.open();
  await probe;
});

it.each([429, 400, 401, 404])('does not count an answer with status %d', async (status) => {
  const { state, call, fail } = await setUp();
  await fail(4);
  state.status = status;
  await fail(10);
  state.status = 503;
  await fail(4);
  delete state.status;
  await call();
});

it('does not count a call that was stopped, and tries again after a probe that was', async () => {
  const { breaker, config, state, call, fail } = await setUp();
  const stopped = () =>
    breaker.guard({ alias: 'default', config, now: () => state.now }, () =>
      Promise.reject(new ModelCallStopped({ parts: [], usage: NO_USAGE, executionUnits: 0 })),
    );
  for (let i = 0; i < 6; i++) await expect(stopped()).rejects.toThrow(ModelCallStopped);
  await fail(5);
  state.now += OPEN;
  await expect(stopped()).rejects.toThrow(ModelCallStopped);
  delete state.status;
  await call();
});

it('does not count a refused output format, which some servers call an error of their own', async () => {
  const { breaker, config, state, call } = await setUp();
  const unavailable = ApplicationFailure.create({ type: 'ModelUnavailable', message: '500 invalid format' });
  const refused = () =>
    breaker.guard({ alias: 'default', config, now: () => state.now }, () =>
      Promise.reject(
        new TermsRefused({ output: true, dialect: false, thoughts: false, why: 'invalid format' }, unavailable),
      ),
    );
  for (let i = 0; i < 6; i++) await expect(refused()).rejects.toThrow(TermsRefused);
  delete state.status;
  await call();
});

it('is one for each alias', async () => {
  const { state, call, fail } = await setUp();
  await fail(5, 'down');
  delete state.status;
  await call('up');
  expect(await failureOf(call('down'))).toBeInstanceOf(ApplicationFailure);
});
