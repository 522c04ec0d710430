import type { Info } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { createLeases, type LeasedRequest } from '../../../../activities/model/leases/leases';
import type { ModelLimits } from '../../../../agent/leases/model-limits';
import { MODEL_ATTEMPTS } from '../../../../agent/limits';
import type { LeaseRequest } from '../../../../agent/protocol/entities/leases';
import { SILENT_LOG } from '../../../../runtime/log';
import { closeAfterTest } from '../../../close-after-test';
import { until } from '../../../until';
import { modelAnswer } from '../../../workflows/state-data';

/** The places that calls of tasks have in the line of a worker. */
const PLACES = 20;

/** A worker whose questions for leases are never answered. */
function waitingWorker(limits: ModelLimits = { concurrent: 1 }) {
  const warned: unknown[] = [];
  const asked: LeaseRequest[] = [];
  const warn = (about: object, line?: string) => void warned.push({ ...about, line });
  const leases = closeAfterTest(createLeases({ ...SILENT_LOG, warn }));
  const client = {
    withAbortSignal: (signal: AbortSignal, work: () => Promise<unknown>) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        work().then(resolve, reject);
      }),
    withDeadline: (_: number, work: () => Promise<unknown>) => work(),
    workflow: {
      executeUpdateWithStart: (_: string, { args: [request] }: { args: [LeaseRequest] }) => {
        asked.push(request);
        return new Promise(() => {});
      },
    },
  } as unknown as Client;
  const callers: AbortController[] = [];
  const call = jest.fn(async () => modelAnswer({ text: 'done' }));
  const ask = (interactive: boolean, attempt = 1, info: Partial<Info> = {}): Promise<unknown> => {
    const caller = new AbortController();
    callers.push(caller);
    const request = {
      ...{ alias: 'default', config: { baseUrl: 'http://127.0.0.1:1', model: 'm', limits } },
      attempt: {
        record: { waitInLine: (_: string, wait: Promise<unknown>) => wait },
        began: Date.now(),
        signal: caller.signal,
      } as LeasedRequest['attempt'],
      ...{ interactive, check: () => {}, sent: () => ({ messages: [], tools: [] }) },
    };
    const env = new MockActivityEnvironment(
      { attempt, startToCloseTimeoutMs: 600_000, ...info },
      { client, logger: new DefaultLogger('ERROR') },
    );
    return env.run(() => leases.during(request, call));
  };
  return { ask, asked, call, warned, leave: () => callers.forEach((caller) => void caller.abort(new Error('left'))) };
}

test('a call of a task that finds the line full comes back; a person waits in it', async () => {
  const { ask, call, leave } = waitingWorker();
  const inLine = Array.from({ length: PLACES }, () => ask(false));
  await expect(ask(false)).rejects.toMatchObject({
    ...{ type: 'WaitsInLine', nonRetryable: false },
    nextRetryDelay: expect.any(Number),
  });
  inLine.push(ask(true));
  leave();
  expect(await Promise.allSettled(inLine)).toEqual(inLine.map(() => expect.objectContaining({ status: 'rejected' })));
  expect(call).not.toHaveBeenCalled();
});

test('a call that has come back often leaves the wait to its run, before its attempts are used up', async () => {
  const { ask, leave } = waitingWorker();
  const inLine = Array.from({ length: PLACES }, () => ask(false));
  await expect(ask(false, MODEL_ATTEMPTS / 2)).rejects.toMatchObject({
    ...{ type: 'ModelRateLimited', nonRetryable: true },
    message: expect.stringContaining('its `limits` for all workers left no room'),
  });
  leave();
  await Promise.allSettled(inLine);
});

test('that a call needs more than `tokensPerMinute` is told once: calls then take a minute each, without an error', async () => {
  for (const [tokensPerMinute, times] of [
    [100, 1],
    [100_000, 0],
  ] as const) {
    const { ask, warned, leave } = waitingWorker({ tokensPerMinute });
    const inLine = [ask(false), ask(true), ask(false)];
    leave();
    await Promise.allSettled(inLine);
    const told = { model: 'default', tokensPerMinute, line: expect.stringContaining('one a minute') };
    expect(warned).toEqual(Array.from({ length: times }, () => expect.objectContaining(told)));
  }
});

test.each([
  ['ahead', -3_600_000],
  ['behind', 3_600_000],
])(
  'how long a call has waited does not depend on the clock of its worker, which is an hour %s',
  async (_how, apart) => {
    const { ask, asked, leave } = waitingWorker();
    const first = Date.now() + apart;
    const attempts = { scheduledTimestampMs: first, currentAttemptScheduledTimestampMs: first + 40_000 };
    const inLine = ask(false, 2, attempts).catch(() => 'left');
    await until(() => asked.length > 0, 'the question');
    const [want] = asked[0]?.wants ?? [];
    expect(want?.waited).toBeGreaterThanOrEqual(40_000);
    expect(want?.waited).toBeLessThan(100_000);
    leave();
    await inLine;
  },
);
