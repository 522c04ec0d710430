import { Context } from '@temporalio/activity';
import type { ModelHeartbeat } from '../../agent/protocol/calls/model-call';
import { isJsonObject } from '../../agent/values/json';
import { withHeartbeat } from '../heartbeat';
import { CallRecord } from './call-record';
import type { TellRun } from './usage/tell-run';

/** One attempt at a model call. */
export interface Attempt {
  /** When it began, by this worker's clock. */
  began: number;
  /** Its clock, see {@link attemptClock}. */
  now(): number;
  record: CallRecord;
  /** Missing: the run would not understand it. */
  tellRun?: TellRun | undefined;
  /** Aborts when the attempt has to end. */
  signal: AbortSignal;
}

/** Makes an attempt. Its heartbeats tell what all attempts of the call came to. */
export function inAttempt<T>(make: (attempt: Attempt) => Promise<T>): Promise<T> {
  const record = new CallRecord();
  const about = { began: Date.now(), now: attemptClock(), record };
  return withHeartbeat(
    (signal) => make({ ...about, signal }),
    () => heartbeatOf(record),
  );
}

/** What an attempt passes on while it works: the outage so far, and what all attempts came to. */
export function heartbeatOf(record: CallRecord): ModelHeartbeat {
  return { ...outageBefore(), ...record.heartbeat };
}

/**
 * Makes the clock of an attempt, in milliseconds since 1970: that of this machine or, where it is ahead, that of the
 * server. A test server skips the waits between attempts, and an attempt never begins before its wait is over.
 */
function attemptClock(): () => number {
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
export function timeLeft({ began }: Attempt): number {
  return Math.max(0, MOST_OF_IT * Context.current().info.startToCloseTimeoutMs - (Date.now() - began));
}

/** What failed attempts pass on to the next one, as details of their last heartbeat. */
export type Outage = Required<Pick<ModelHeartbeat, 'spent' | 'failures'>> & Pick<ModelHeartbeat, 'next'>;

/** What the attempts before this one passed on. */
export function outageBefore(): Outage | undefined {
  const details: unknown = Context.current().info.heartbeatDetails;
  if (!isJsonObject(details)) return undefined;
  const { spent, failures, next } = details;
  if (typeof spent !== 'number' || typeof failures !== 'number') return undefined;
  return { spent, failures, ...(typeof next === 'number' ? { next } : {}) };
}
