import { ActivityFailure, ApplicationFailure, sleep } from '@temporalio/workflow';
import { MISSING } from '../../../agent/protocol/calls/missing';
import { STORAGE } from '../../../agent/protocol/calls/storage-failures';
import { jsonBytes } from '../../../agent/values/json';
import { activity, FOR_A_MINUTE, type RunOptions } from './activity';
import { runSteps, type Steps } from './steps';

/**
 * Milliseconds during which the activity is rescheduled. `missing`: in this time a rolling deploy reaches its first
 * workers. `unread`: the storage that has its input may be repaired.
 */
const PATIENCE = { missing: 60_000, unread: 3_600_000 } as const;

/**
 * Milliseconds before the nth further try: 1 s, growing to 5 s, or to 60 s. About fifteen tries in a minute. A queue
 * where half of the workers belong to another project fails one call in 30,000.
 */
const pause = (tries: number, error: unknown) =>
  Math.round(Math.min(isUnread(error) ? 60_000 : 5000, 1000 * 1.5 ** tries));

/** Options of a patient call. Each further try sends the arguments again and spends their bytes. */
interface PatientOptions extends RunOptions {
  /** Called with the failure of each try after which there is another one. Returns the input of that one. */
  onMissing?(error: unknown): unknown;
}

/**
 * Schedules an activity and gives the steps to its end. Where it reaches a worker without the agent or the tool, it is
 * rescheduled under a new id (`t1.1~2`) for a minute, and where its input could not be read from a storage, for an hour.
 * Retries of the server do not fit: a tool of effect `once` has one attempt there, and such a call has not used it. A
 * cancel ends the wait.
 * @throws ActivityFailure the last one
 */
export function patiently<Result>(name: string, input: unknown, options: PatientOptions): Steps<Result> {
  const { onMissing, ...once } = options;
  return tried(activity<Result>(name, input, once), name, input, options);
}

/** Runs an activity, see {@link patiently}. */
export function runPatiently<Result>(name: string, input: unknown, options: PatientOptions): Promise<Result> {
  return runSteps(patiently<Result>(name, input, options));
}

function* tried<Result>(
  first: Steps<Result>,
  name: string,
  given: unknown,
  { onMissing, ...options }: PatientOptions,
): Steps<Result> {
  let attempt = first;
  let input = given;
  let since: number | undefined;
  for (let tries = 2; ; tries++) {
    try {
      return yield* attempt;
    } catch (error) {
      const patience = isUnread(error) ? PATIENCE.unread : PATIENCE.missing;
      if (!isNotBegun(error) || (since !== undefined && Date.now() >= since + patience)) throw error;
      if (onMissing !== undefined) input = onMissing(error);
      since ??= Date.now();
      const why = isUnread(error) ? 'its input cannot be read yet' : 'no worker has it yet';
      yield sleep(pause(tries - 2, error), { summary: `${options.activityId ?? name}: ${why}`.slice(0, 100) });
    }
    const room = options.bytes?.spend(jsonBytes(input));
    if (room !== undefined) yield room;
    attempt = activity<Result>(name, input, numbered(options, tries));
  }
}

/** Runs one of the framework's own short activities, with retries for a minute. */
export function runShort<Result>(name: string, input: unknown, summary: string): Promise<Result> {
  const times = { startToCloseTimeout: 60_000, heartbeatTimeout: 10_000 };
  return runPatiently<Result>(name, input, { retry: FOR_A_MINUTE, ...times, summary });
}

/** The activity reached a worker that lacks what it needs, and nothing was started. */
export function isMissing(error: unknown): boolean {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  return cause instanceof ApplicationFailure && cause.nonRetryable === true && MISSING.has(cause.type);
}

/** The input of the activity could not be read from its storage, and nothing was started. */
export function isUnread(error: unknown): boolean {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  return cause instanceof ApplicationFailure && cause.type === STORAGE.read;
}

function isNotBegun(error: unknown): boolean {
  return isMissing(error) || isUnread(error);
}

function numbered(options: RunOptions, tries: number): RunOptions {
  const { activityId } = options;
  return {
    ...options,
    ...(activityId === undefined ? {} : { activityId: `${activityId}~${tries}` }),
    // With eager dispatch, each try would reach the worker that runs the workflow, which is the one without the tool.
    allowEagerDispatch: false,
  };
}
