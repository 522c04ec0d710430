import { ApplicationFailure, Context } from '@temporalio/activity';
import type { ErrorType } from '../../agent/errors/error';
import { isJsonObject } from '../../agent/values/json';

/**
 * Milliseconds of outage that a model call bridges by itself, counted from its first failure: most outages are shorter.
 * After that the workflow decides: the next model, or a durable wait.
 */
export const CALL_BUDGET = 60_000;

/** Milliseconds before the second attempt, doubled for each further attempt up to the maximum. */
const FIRST_WAIT = 1000;
const LONGEST_WAIT = 30_000;

/** Failures of an outage, or of an overloaded server. */
const OUTAGE: ReadonlySet<string> = new Set<ErrorType>(['ModelUnavailable', 'ModelRateLimited']);

/** What failed attempts pass on to the next one, as details of their last heartbeat. */
interface Outage {
  /** Milliseconds since the first failure: waits, and attempts that ended. */
  spent: number;
  failures: number;
  /** When the next attempt begins at the earliest, in milliseconds since 1970. Missing: a worker before this field. */
  next?: number;
}

/**
 * Makes the clock of an attempt, in milliseconds since 1970: that of this machine or, where it is ahead, that of the
 * server. A test server skips the waits between attempts, and an attempt never begins before its wait is over.
 */
export function attemptClock(): () => number {
  const { currentAttemptScheduledTimestampMs: scheduled, heartbeatDetails: before } = Context.current().info;
  const started = Math.max(scheduled, isOutage(before) ? (before.next ?? 0) : 0);
  const began = performance.now();
  return () => Math.max(Date.now(), Math.round(started + performance.now() - began));
}

/**
 * The failure of an attempt of a model call: either one that the server retries, or the last. Time counts, not
 * attempts: attempts that are lost with a worker cost nothing.
 * @param attempt.began when this attempt began, by this worker's clock
 * @param attempt.budget milliseconds of outage after which the attempt is the last
 * @param attempt.now the clock of the attempt
 */
export function attemptOf(
  error: unknown,
  { began, budget, now }: { began: number; budget: number; now(): number },
): unknown {
  if (!(error instanceof ApplicationFailure) || error.nonRetryable || !OUTAGE.has(error.type ?? '')) return error;
  const context = Context.current();
  const before: unknown = context.info.heartbeatDetails;
  const failures = isOutage(before) ? before.failures : 0;
  const spent = isOutage(before) ? before.spent + (Date.now() - began) : 0;
  const asked = typeof error.nextRetryDelay === 'number' ? error.nextRetryDelay : 0;
  const wait = Math.max(asked, Math.min(FIRST_WAIT * 2 ** failures, LONGEST_WAIT));
  if (spent + wait > Math.min(CALL_BUDGET, budget)) return last(error, asked);
  context.heartbeat({ spent: spent + wait, failures: failures + 1, next: now() + wait } satisfies Outage);
  return ApplicationFailure.create({ ...factsOf(error), nextRetryDelay: wait });
}

/** Tells the workflow how long the server asks to wait. */
function last(error: ApplicationFailure, asked: number): ApplicationFailure {
  const { details, ...facts } = factsOf(error);
  const [data, ...rest] = details;
  const known = asked > 0 && isJsonObject(data) ? { ...data, retryAfter: asked } : data;
  return ApplicationFailure.create({ ...facts, details: [known, ...rest], nonRetryable: true });
}

function factsOf({ type, message, details }: ApplicationFailure) {
  return { type: type ?? '', message, details: details ?? [] };
}

function isOutage(details: unknown): details is Outage {
  return isJsonObject(details) && typeof details.spent === 'number' && typeof details.failures === 'number';
}
