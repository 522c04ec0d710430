import { ApplicationFailure, CancelledFailure, Context } from '@temporalio/activity';
import { PASSING_ERRORS } from '../../agent/errors/passing-errors';
import type { ModelHeartbeat } from '../../agent/protocol/calls/model-call';
import { isJsonObject } from '../../agent/values/json';
import { shutsDown } from '../heartbeat';
import { type Attempt, heartbeatOf, type Outage, outageBefore } from './attempt';
import { laterThan, nextAttempt } from './failures/next-attempt';

/**
 * Milliseconds of outage that a model call bridges by itself, counted from its first failure: most outages are shorter.
 * After that the workflow decides: the next model, or a durable wait.
 */
export const CALL_BUDGET = 60_000;

/**
 * The failure of an attempt of a model call: a cancel, one that the server retries, or the last. Time counts, not
 * attempts: attempts that are lost with a worker use up none of it. Each tells what all attempts came to.
 * @param budget milliseconds of outage after which the attempt is the last
 */
export async function failureOf(thrown: unknown, attempt: Attempt, budget: number): Promise<unknown> {
  return attempt.signal.aborted ? interruption(thrown, attempt) : failedAttempt(thrown, attempt, budget);
}

async function failedAttempt(thrown: unknown, attempt: Attempt, budget: number): Promise<unknown> {
  const { began, now, record } = attempt;
  const error = record.inFailure(thrown);
  const context = Context.current();
  const before = outageBefore();
  if (!(error instanceof ApplicationFailure) || error.nonRetryable || !PASSING_ERRORS.has(error.type ?? '')) {
    // The server retries what is not final.
    if (!(error instanceof ApplicationFailure) || !error.nonRetryable) await tellRun(attempt);
    context.heartbeat(heartbeatOf(record));
    return error;
  }
  const failures = before?.failures ?? 0;
  const spent = before === undefined ? 0 : before.spent + (Date.now() - began);
  const asked = typeof error.nextRetryDelay === 'number' ? error.nextRetryDelay : 0;
  const { wait, counts } = nextAttempt(failures, asked);
  if (spent + counts > Math.min(CALL_BUDGET, budget)) return last(error, asked);
  const outage: Outage = { spent: spent + counts, failures: failures + 1, next: now() + wait };
  await tellRun(attempt);
  context.heartbeat({ ...heartbeatOf(record), ...outage } satisfies ModelHeartbeat);
  return ApplicationFailure.create({ ...factsOf(error), nextRetryDelay: wait });
}

/**
 * Only the run's own cancel is a cancel. If the worker shuts down, or an operator pauses or resets the activity, the
 * answer is still wanted: another attempt has to make it.
 */
async function interruption(error: unknown, attempt: Attempt): Promise<Error> {
  const { record } = attempt;
  const partial = record.failed(error);
  const details = Context.current().cancellationDetails;
  if (details?.cancelRequested || details?.notFound) {
    return new CancelledFailure('The model call was cancelled', [partial]);
  }
  await tellRun(attempt);
  Context.current().heartbeat(heartbeatOf(record));
  const type = shutsDown() ? 'WorkerShutdown' : 'Interrupted';
  return ApplicationFailure.create({
    type,
    message: type === 'WorkerShutdown' ? 'The worker shuts down.' : 'The attempt was interrupted.',
    details: [null, partial],
    nextRetryDelay: 100,
  });
}

/** The run may give the call up before its next attempt begins: then no attempt can say what the call has cost. */
async function tellRun({ record, tellRun }: Attempt): Promise<void> {
  const { untold } = record;
  if (untold !== undefined && (await tellRun?.(untold))) record.told();
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
