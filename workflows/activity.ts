import { type ActivityOptions, proxyActivities } from '@temporalio/workflow';

/** Runs one activity by its name; the type of its result is the caller's knowledge. */
export function runActivity<Result>(name: string, input: unknown, options: ActivityOptions): Promise<Result> {
  const activity = proxyActivities<Record<string, (input: unknown) => Promise<Result>>>(options)[name];
  if (activity === undefined) throw new Error(`no activity ${name}`);
  return activity(input);
}

/** Back-off of whatever may be tried again: 1 s, doubling, at most 60 s. */
export const BACK_OFF = { initialInterval: 1000, backoffCoefficient: 2, maximumInterval: 60_000 } as const;
