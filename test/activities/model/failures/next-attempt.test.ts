import { CALL_BUDGET } from '../../../../activities/model/call-budget';
import { modelFailure } from '../../../../activities/model/failures/model-failure';
import { ModelServerError } from '../../../../activities/model/failures/server-error';
import type { ModelHeartbeat } from '../../../../agent/protocol/calls/model-call';
import { failedAttempt } from './failed-attempt';

const CALLS = 200;
const config = { baseUrl: 'http://127.0.0.1:1', model: 'm' };

/** The failure of one attempt that ended at once, and what it passes on. */
function failed(retryAfter: number | undefined, before?: ModelHeartbeat, budget = CALL_BUDGET) {
  const error = modelFailure(new ModelServerError('busy', { status: 429, retryAfter }), config);
  return failedAttempt(error, { before, budget });
}

/** The milliseconds after which many calls that failed at the same moment are made again. */
async function waitsOfMany(retryAfter?: number, failures?: number): Promise<number[]> {
  const before = failures === undefined ? undefined : { spent: 0, failures };
  const all = await Promise.all(Array.from({ length: CALLS }, () => failed(retryAfter, before)));
  return all.map(({ failure }) => Number(failure.nextRetryDelay));
}

/** The most of them in any twentieth of the time over which they may be spread. */
function mostAtOnce(waits: readonly number[], spread: number): number {
  return Math.max(...waits.map((from) => waits.filter((at) => at >= from && at < from + spread / 20).length));
}

/** The same for each of the waits in one outage of a call, until the run itself waits. */
async function outage(retryAfter?: number, budget = CALL_BUDGET): Promise<number[]> {
  const waits: number[] = [];
  let before: ModelHeartbeat | undefined;
  for (;;) {
    const { failure, passed } = await failed(retryAfter, before, budget);
    if (failure.nonRetryable) return waits;
    waits.push(Number(failure.nextRetryDelay));
    before = passed;
  }
}

const sum = (waits: readonly number[]) => waits.reduce((all, wait) => all + wait, 0);

test.each([
  ['first', undefined, 750, 1250],
  ['third', 2, 3000, 5000],
  ['tenth', 9, 22_500, 37_500],
])('calls that fail together are spread around the %s back-off', async (_which, failures, from, to) => {
  const waits = await waitsOfMany(undefined, failures);
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(from);
  expect(Math.max(...waits)).toBeLessThanOrEqual(to);
  // A twentieth of them on average, and all of them without a spread.
  expect(mostAtOnce(waits, to - from)).toBeLessThan(CALLS / 4);
});

test.each([
  ['second', 1000, 500],
  ['twenty seconds', 20_000, 2000],
  ['minute', 60_000, 6000],
])('they are spread after the %s that a server asks for, never before it', async (_how, asked, spread) => {
  const waits = await waitsOfMany(asked);
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(asked);
  expect(Math.max(...waits)).toBeLessThanOrEqual(asked + spread);
  expect(mostAtOnce(waits, spread)).toBeLessThan(CALLS / 4);
});

test('the run of a call is told by how much later than the server asks, at most 15 s', async () => {
  const all = await Promise.all(Array.from({ length: CALLS }, () => failed(3_600_000)));
  expect(all.every(({ failure }) => failure.nonRetryable)).toBe(true);
  const told = all.map(({ failure }) => failure.details?.[0] as { retryAfter: number; later: number });
  expect(new Set(told.map(({ retryAfter }) => retryAfter))).toEqual(new Set([3_600_000]));
  const later = told.map((one) => one.later);
  expect(Math.min(...later)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...later)).toBeLessThanOrEqual(15_000);
  expect(mostAtOnce(later, 15_000)).toBeLessThan(CALLS / 4);
});

test('a call is made six times, in about half a minute, before its run waits', async () => {
  const all = await Promise.all(Array.from({ length: CALLS }, () => outage()));
  for (const waits of all) {
    expect(waits).toHaveLength(5);
    expect(sum(waits)).toBeGreaterThanOrEqual((3 / 4) * 31_000);
    expect(sum(waits)).toBeLessThanOrEqual((5 / 4) * 31_000);
  }
});

test('a wait that a server asks for begins only if it ends within the patience, but for its spread', async () => {
  for (const asked of [700, 9000, 20_000, 60_000]) {
    for (const waits of await Promise.all(Array.from({ length: 20 }, () => outage(asked)))) {
      expect(sum(waits)).toBeLessThanOrEqual((5 / 4) * CALL_BUDGET);
      expect(waits.length).toBeGreaterThan(0);
      expect(waits.length).toBeLessThan(8);
    }
  }
  expect(await outage(10_001, 10_000)).toEqual([]);
});
