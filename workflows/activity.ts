import { type ActivityOptions, proxyActivities } from '@temporalio/workflow';

/** Runs one activity by its name; the type of its result is the caller's knowledge. */
export function runActivity<Result>(name: string, input: unknown, options: ActivityOptions): Promise<Result> {
  const activity = proxyActivities<Record<string, (input: unknown) => Promise<Result>>>(options)[name];
  if (activity === undefined) throw new Error(`no activity ${name}`);
  return activity(input);
}

/** Runs one of the framework's own short activities; tried for a minute. */
export function runShort<Result>(name: string, input: unknown, summary: string): Promise<Result> {
  const times = { startToCloseTimeout: 60_000, heartbeatTimeout: 10_000 };
  return runActivity<Result>(name, input, { retry: FOR_A_MINUTE, ...times, summary });
}

/** Back-off of whatever may be tried again: 1 s, doubling, at most 60 s. */
export const BACK_OFF = { initialInterval: 1000, backoffCoefficient: 2, maximumInterval: 60_000 } as const;

/** Retries during about a minute: a worker that dies is back by then, and a rolling deploy has brought a new agent. */
export const FOR_A_MINUTE = { ...BACK_OFF, maximumInterval: 10_000, maximumAttempts: 9 } as const;
