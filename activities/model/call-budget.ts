import { ApplicationFailure, CancelledFailure, Context } from '@temporalio/activity';
import type { ErrorType } from '../../agent/errors/error';
import type { ModelHeartbeat } from '../../agent/protocol/calls/model-call';
import { isJsonObject } from '../../agent/values/json';
import { shutsDown } from '../heartbeat';
import type { CallRecord } from './call-record';
import { laterThan, nextAttempt } from './failures/next-attempt';

/**
 * Milliseconds of outage that a model call bridges by itself, counted from its first failure: most outages are shorter.
 * After that the workflow decides: the next model, or a durable wait.
 */
export const CALL_BUDGET = 60_000;

/** Failures of an outage, or of an overloaded server. */
const OUTAGE: ReadonlySet<string> = new Set<ErrorType>(['ModelUnavailable', 'ModelRateLimited']);

/** What failed attempts pass on to the next one, as details of their last heartbeat. */
type Outage = Required<Pick<ModelHeartbeat, 'spent' | 'failures'>> & Pick<ModelHeartbeat, 'next'>;

/** What an attempt passes on while it works: the outage so far, and what all attempts came to. */
export function heartbeatOf(record: CallRecord): ModelHeartbeat {
  return { ...outageBefore(), ...record.heartbeat };
}

/**
 * Makes the clock of an attempt, in milliseconds since 1970: that of this machine or, where it is ahead, that of the
 * server. A test server skips the waits between attempts, and an attempt never begins before its wait is over.
 */
export function attemptClock(): () => number {
  const { currentAttemptScheduledTimestampMs: scheduled } = Context.current().info;
  const started = isAskedFor() ? scheduled : Math.max(scheduled, outageBefore()?.next ?? 0);
  const began = performance.now();
  return () => Math.max(Date.now(), Math.round(started + performance.now() - began));
}

/** The activity was reset while it waited for its next attempt: a person wants it made at once. */
export function isAskedFor(): boolean {
  return Context.current().info.attempt === 1 && outageBefore() !== undefined;
}

/** Share of an attempt's time that an answer may take. */
const MOST_OF_IT = 0.95;

/**
 * Milliseconds in which an answer has to be complete: a little less than the server gives the attempt. Otherwise the
 * server would end the attempt, request and pay for the answer again, and could not say why.
 */
export function timeLeft(began: number): number {
  return Math.max(0, MOST_OF_IT * Context.current().info.startToCloseTimeoutMs - (Date.now() - began));
}

/** One attempt at a model call. */
export interface Attempt {
  /** When it began, by this worker's clock. */
  began: number;
  /** Its clock, see {@link attemptClock}. */
  now(): number;
  record: CallRecord;
}

/**
 * The failure of an attempt of a model call: a cancel, one that the server retries, or the last. Time counts, not
 * attempts: attempts that are lost with a worker use up none of it. Each tells what all attempts came to.
 * @param how.budget milliseconds of outage after which the attempt is the last
 */
export function failureOf(
  thrown: unknown,
  attempt: Attempt,
  { signal, budget }: { signal: AbortSignal; budget: number },
): unknown {
  return signal.aborted ? interruption(thrown, attempt.record) : failedAttempt(thrown, attempt, budget);
}

function failedAttempt(thrown: unknown, { began, now, record }: Attempt, budget: number): unknown {
  const error = record.inFailure(thrown);
  const context = Context.current();
  const before = outageBefore();
  if (!(error instanceof ApplicationFailure) || error.nonRetryable || !OUTAGE.has(error.type ?? '')) {
    // The server retries what is not final.
    context.heartbeat(heartbeatOf(record));
    return error;
  }
  const failures = before?.failures ?? 0;
  const spent = before === undefined ? 0 : before.spent + (Date.now() - began);
  const asked = typeof error.nextRetryDelay === 'number' ? error.nextRetryDelay : 0;
  const { wait, counts } = nextAttempt(failures, asked);
  if (spent + counts > Math.min(CALL_BUDGET, budget)) return last(error, asked);
  const outage: Outage = { spent: spent + counts, failures: failures + 1, next: now() + wait };
  context.heartbeat({ ...heartbeatOf(record), ...outage } satisfies ModelHeartbeat);
  return ApplicationFailure.create({ ...factsOf(error), nextRetryDelay: wait });
}

/**
 * Only the run's own cancel is a cancel. If the worker shuts down, or an operator pauses or resets the activity, the
 * answer is still wanted: another attempt has to make it.
 */
function interruption(error: unknown, record: CallRecord): Error {
  const partial = record.failed(error);
  const details = Context.current().cancellationDetails;
  if (details?.cancelRequested || details?.notFound) {
    return new CancelledFailure('The model call was cancelled', [partial]);
  }
  Context.current().heartbeat(heartbeatOf(record));
  const type = shutsDown() ? 'WorkerShutdown' : 'Interrupted';
  return ApplicationFailure.create({
    type,
    message: type === 'WorkerShutdown' ? 'The worker shuts down.' : 'The attempt was interrupted.',
    details: [null, partial],
    nextRetryDelay: 100,
  });
}

/** Tells the workflow how long the server asks to wait. */
function last(error: ApplicationFailure, asked: number): ApplicationFailure {
  const { details, ...facts } = factsOf(error);
  const [data, ...rest] = details;
  const known = asked > 0 && isJsonObject(data) ? { ...data, retryAfter: asked, later: laterThan(asked) } : data;
  return ApplicationFailure.create({ ...facts, details: [known, ...rest], nonRetryable: true });
}

function factsOf({ type, message, details }: ApplicationFailure) {
  return { type: type ?? '', message, details: details ?? [] };
}

/** What the attempts before this one passed on. */
function outageBefore(): Outage | undefined {
  const details: unknown = Context.current().info.heartbeatDetails;
  if (!isJsonObject(details)) return undefined;
  const { spent, failures, next } = details;
  if (typeof spent !== 'number' || typeof failures !== 'number') return undefined;
  return { spent, failures, ...(typeof next === 'number' ? { next } : {}) };
}
