import { type ActivityOptions, proxyActivities } from '@temporalio/workflow';
import { HoldfastError } from '../../../agent/errors/error';
import { Unreadable } from '../../../agent/values/unreadable';
import { failureOf } from '../failures';

/**
 * Runs one activity by its name; the type of its result is the caller's knowledge. It has run, with a result that cannot be
 * read: a failure of type `UnreadablePayload` that is no ActivityFailure.
 * @param otherwise what is done where the activity fails; by default its failure is thrown
 */
export function runActivity<Result>(
  name: string,
  input: unknown,
  options: ActivityOptions,
  otherwise?: (error: unknown) => Promise<Result>,
): Promise<Result> {
  const activity = proxyActivities<Record<string, (input: unknown) => Promise<Result>>>(options)[name];
  if (activity === undefined) throw new Error(`no activity ${name}`);
  return activity(input).then((result) => {
    if (result instanceof Unreadable) throw unreadableResult(name, result);
    return result;
  }, otherwise);
}

/** How the unreadable result of an activity, or of a child, fails: an error of ours would end the run. */
function unreadableResult(name: string, { problem }: Unreadable) {
  return failureOf(new HoldfastError('UnreadablePayload', { what: `the result of \`${name}\``, problem }));
}

/** Back-off of whatever may be tried again: 1 s, doubling, at most 60 s. */
export const BACK_OFF = { initialInterval: 1000, backoffCoefficient: 2, maximumInterval: 60_000 } as const;

/** Retries without end: the activity decides which failure is the last, and lost workers cost none. */
export const UNTIL_IT_DECIDES = { ...BACK_OFF, maximumInterval: 30_000 } as const;

/** Retries during about a minute: a worker that dies is back by then, and a rolling deploy has brought a new agent. */
export const FOR_A_MINUTE = { ...BACK_OFF, maximumInterval: 10_000, maximumAttempts: 9 } as const;
