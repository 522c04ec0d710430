import { type ActivityOptions, proxyActivities } from '@temporalio/workflow';
import { HoldfastError } from '../../../agent/errors/error';
import { Unreadable } from '../../../agent/values/unreadable';
import { failureOf } from '../failures';
import type { ByteBudget } from './byte-budget';
import { runSteps, type Steps, until } from './steps';

export interface RunOptions extends ActivityOptions {
  /** Its end proves as sent what was spent until it was scheduled. */
  bytes?: ByteBudget | undefined;
}

/**
 * Schedules one activity by its name and gives the steps to its end; the caller knows the type of its result. An activity
 * that ran but whose result cannot be read fails with type `UnreadablePayload`, not as an ActivityFailure.
 */
export function activity<Result>(name: string, input: unknown, { bytes, ...options }: RunOptions): Steps<Result> {
  const mark = bytes?.mark ?? 0;
  const schedule = proxyActivities<Record<string, (input: unknown) => Promise<Result>>>(options)[name];
  if (schedule === undefined) throw new Error(`no activity ${name}`);
  return toItsEnd(name, schedule(input), { bytes, mark });
}

function* toItsEnd<Result>(
  name: string,
  scheduled: Promise<Result>,
  { bytes, mark }: { bytes: ByteBudget | undefined; mark: number },
): Steps<Result> {
  let result: Result;
  try {
    result = yield* until(scheduled);
  } catch (error) {
    bytes?.proveByFailure(mark, error);
    throw error;
  }
  bytes?.prove(mark);
  if (result instanceof Unreadable) throw unreadableResult(name, result);
  return result;
}

/** Runs one activity, see {@link activity}. */
export function runActivity<Result>(name: string, input: unknown, options: RunOptions): Promise<Result> {
  return runSteps(activity<Result>(name, input, options));
}

/** The failure for an unreadable result of an activity. An error of ours would end the run. */
function unreadableResult(name: string, { problem }: Unreadable) {
  return failureOf(new HoldfastError('UnreadablePayload', { what: `the result of \`${name}\``, problem }));
}

/** Back-off of retries: 1 s, doubling, at most 60 s. */
export const BACK_OFF = { initialInterval: 1000, backoffCoefficient: 2, maximumInterval: 60_000 } as const;

/** Retries without a limit: the activity decides which failure is the last, and lost workers use up no attempt. */
export const UNTIL_IT_DECIDES = { ...BACK_OFF, maximumInterval: 30_000 } as const;

/** Retries for about a minute: by then a worker that died is back, and a rolling deploy has brought a new agent. */
export const FOR_A_MINUTE = { ...BACK_OFF, maximumInterval: 10_000, maximumAttempts: 9 } as const;
