import type { Client } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import { modelFailure } from '../../../../activities/model/failures/model-failure';
import { ModelServerError } from '../../../../activities/model/failures/server-error';
import { createTellRun, hears, type TellRun } from '../../../../activities/model/usage/tell-run';
import type { ModelConfig } from '../../../../agent/model/config';
import { ACTIVITY } from '../../../../agent/protocol/activities';
import { CALL_SPENT, SUMMARY_CALL } from '../../../../agent/protocol/calls/call-spent';
import type { ModelHeartbeat, PartialAnswer } from '../../../../agent/protocol/calls/model-call';
import { DECISIONS } from '../../../../agent/protocol/decisions';
import { failedAttempt } from '../failures/failed-attempt';

const config: ModelConfig = { baseUrl: 'http://127.0.0.1:9/v1', model: 'm' };
const spending = { usage: { prompt: 10, completion: 5 }, executionUnits: 15 };

interface Stage {
  /** What the attempt has cost. Missing: nothing. */
  partial?: PartialAnswer;
  before?: ModelHeartbeat | undefined;
  status?: number;
  knows?: boolean;
}

/** One attempt that fails, what its run was told, and what it passes on. */
async function failed({ partial, before, status = 503, knows = true }: Stage) {
  const tellRun = jest.fn<ReturnType<TellRun>, Parameters<TellRun>>(async () => knows);
  const error = modelFailure(new ModelServerError('no', { status }), config, partial && { partial });
  const { failure, passed } = await failedAttempt(error, { before, tellRun });
  return { failure, passed, told: tellRun.mock.calls.map(([said]) => said) };
}

const costly = { parts: [], model: 'm-1', ...spending };

test('a failed attempt that has cost something tells its run, and the next ones tell it only of more', async () => {
  const first = await failed({ partial: costly });
  expect(first.told).toMatchObject([{ model: 'm-1', ...spending }]);
  expect(first.passed).toMatchObject({ failures: 1, spending, told: 15 });
  const second = await failed({ before: first.passed });
  expect(second.told).toEqual([]);
  expect(second.passed).toMatchObject({ failures: 2, spending, told: 15 });
  const third = await failed({ partial: costly, before: second.passed });
  expect(third.told).toMatchObject([{ usage: { prompt: 20, completion: 10 }, executionUnits: 30 }]);
});

test('what a run could not be told, the next attempt tells', async () => {
  const first = await failed({ partial: costly, knows: false });
  expect(first.passed).not.toHaveProperty('told');
  expect((await failed({ before: first.passed })).told).toMatchObject([spending]);
});

test('an attempt that has cost nothing tells nothing, and the last one says it with its failure', async () => {
  expect((await failed({})).told).toEqual([]);
  const last = await failed({ partial: costly, status: 401 });
  expect(last.told).toEqual([]);
  expect(last.failure).toMatchObject({ nonRetryable: true, details: [{}, spending] });
});

test('a run that began with an earlier version is not told: it would be an unknown signal', () => {
  expect([hears({}), hears({ decisions: 7 }), hears({ decisions: DECISIONS })]).toEqual([false, false, true]);
});

test.each([
  [ACTIVITY.callModel, 'call-3', 'call-3'],
  [ACTIVITY.callModel, 'call-3-2~2', 'call-3-2'],
  [ACTIVITY.compact, '17', SUMMARY_CALL],
])('%s %s tells its run of the call %s, as the run knows it', async (activityType, activityId, call) => {
  const signal = jest.fn();
  const make = (_: unknown, work: () => Promise<unknown>) => work();
  const client = { workflow: { getHandle: () => ({ signal }) }, withDeadline: make, withAbortSignal: make };
  const env = new MockActivityEnvironment({ activityType, activityId }, { client: client as unknown as Client });
  expect(await env.run(() => createTellRun({ warn: jest.fn() })(spending))).toBe(true);
  expect(signal.mock.calls).toEqual([[CALL_SPENT, { call, spent: spending }]]);
});
