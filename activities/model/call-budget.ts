import { ApplicationFailure, Context } from '@temporalio/activity';
import type { ErrorType } from '../../agent/errors/error';
import type { ModelHeartbeat } from '../../agent/protocol/calls/model-call';
import { isJsonObject } from '../../agent/values/json';
import type { CallSpending } from './usage/call-spending';

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
type Outage = Required<Pick<ModelHeartbeat, 'spent' | 'failures'>> & Pick<ModelHeartbeat, 'next'>;

/** What an attempt passes on while it works: the outage so far, and the cost of all attempts. */
export function heartbeatOf(spending: CallSpending): ModelHeartbeat {
  return { ...outageBefore(), ...spending.heartbeat };
}

/**
 * Makes the clock of an attempt, in milliseconds since 1970: that of this machine or, where it is ahead, that of the
 * server. A test server skips the waits between attempts, and an attempt never begins before its wait is over.
 */
export function attemptClock(): () => number {
  const started = Math.max(Context.current().info.currentAttemptScheduledTimestampMs, outageBefore()?.next ?? 0);
  const began = performance.now();
  return () => Math.max(Date.now(), Math.round(started + performance.now() - began));
}

interface Attempt {
  /** When it began, by this worker's clock. */
  began: number;
  /** Milliseconds of outage after which the attempt is the last. */
  budget: number;
  /** The clock of the attempt. */
  now(): number;
  spending: CallSpending;
}

/**
 * The failure of an attempt of a model call: either one that the server retries, or the last. Time counts, not
 * attempts: attempts that are lost with a worker use up none of it. Both tell the cost of all attempts.
 */
export function attemptOf(thrown: unknown, { began, budget, now, spending }: Attempt): unknown {
  const error = spending.inFailure(thrown);
  const context = Context.current();
  const before = outageBefore();
  if (!(error instanceof ApplicationFailure) || error.nonRetryable || !OUTAGE.has(error.type ?? '')) {
    // The server retries what is not final.
    context.heartbeat(heartbeatOf(spending));
    return error;
  }
  const failures = before?.failures ?? 0;
  const spent = before === undefined ? 0 : before.spent + (Date.now() - began);
  const asked = typeof error.nextRetryDelay === 'number' ? error.nextRetryDelay : 0;
  const wait = Math.max(asked, Math.min(FIRST_WAIT * 2 ** failures, LONGEST_WAIT));
  if (spent + wait > Math.min(CALL_BUDGET, budget)) return last(error, asked);
  const outage: Outage = { spent: spent + wait, failures: failures + 1, next: now() + wait };
  context.heartbeat({ ...heartbeatOf(spending), ...outage } satisfies ModelHeartbeat);
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

/** What the attempts before this one passed on. */
function outageBefore(): Outage | undefined {
  const details: unknown = Context.current().info.heartbeatDetails;
  if (!isJsonObject(details)) return undefined;
  const { spent, failures, next } = details;
  if (typeof spent !== 'number' || typeof failures !== 'number') return undefined;
  return { spent, failures, ...(typeof next === 'number' ? { next } : {}) };
}
