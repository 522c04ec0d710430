import { type ActivityOptions, proxyActivities } from '@temporalio/workflow';
import { HoldfastError } from '../../../agent/errors/error';
import { Unreadable } from '../../../agent/values/unreadable';
import { failureOf } from '../failures';
import type { ByteBudget } from './byte-budget';

export interface RunOptions extends ActivityOptions {
  /** Its end proves as sent what was spent until it was scheduled. */
  bytes?: ByteBudget | undefined;
}

/**
 * Runs one activity by its name; the caller knows the type of its result. An activity that ran but whose result cannot
 * be read fails with type `UnreadablePayload`, not as an ActivityFailure.
 * @param otherwise called with the failure of the activity; by default the failure is thrown
 */
export function runActivity<Result>(
  name: string,
  input: unknown,
  { bytes, ...options }: RunOptions,
  otherwise?: (error: unknown) => Promise<Result>,
): Promise<Result> {
  const mark = bytes?.mark ?? 0;
  const activity = proxyActivities<Record<string, (input: unknown) => Promise<Result>>>(options)[name];
  if (activity === undefined) throw new Error(`no activity ${name}`);
  // One promise for all that follows the end, since each costs a stack trace.
  return activity(input).then(
    (result) => {
      bytes?.prove(mark);
      if (result instanceof Unreadable) throw unreadableResult(name, result);
      return result;
    },
    (error: unknown) => {
      bytes?.proveByFailure(mark, error);
      if (otherwise === undefined) throw error;
      return otherwise(error);
    },
  );
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
