import {
  ActivityFailure,
  ApplicationFailure,
  CancelledFailure,
  isCancellation,
  TimeoutFailure,
} from '@temporalio/workflow';
import { spendingOf } from '../../agent/model/cost/spending-of';
import type { PartialAnswer } from '../../agent/protocol/calls/model-call';
import { defined } from '../../agent/values/defined';
import { isJsonObject } from '../../agent/values/json';
import type { Run } from '../run/run';

/** Keeps what remains of a call without an answer, of the model that was asked. Returns `error`. */
export function endOfCall(run: Run, model: string, partial: PartialAnswer | undefined, error: unknown): unknown {
  // The chosen model makes the call in its place. An answer that has arrived meanwhile is taken already.
  if (run.interruption?.why === 'switched' && !(error instanceof CancelledFailure)) {
    run.apply({ type: 'spent', model, ...defined({ partial }) });
    run.apply({ type: 'unanswered' });
    return error;
  }
  const isOutage = run.state.phase.at === 'outage';
  // After an interruption by a person the transcript keeps the text, marked as interrupted.
  if (partial !== undefined) run.apply({ type: 'answerInterrupted', model, partial });
  withdrawText(run);
  const said = (partial?.parts.length ?? 0) > 0;
  // After an interruption during the call, the model may have read everything that was sent.
  if (!said && (isOutage || !isCancellation(error))) run.apply({ type: 'unanswered' });
  return error;
}

/** Tells readers of an interrupted exchange that the text that has arrived is none of it. */
export function withdrawText(run: Run): void {
  const { why, ...by } = run.interruption ?? {};
  // The next model starts over, which tells them by itself.
  if (why !== undefined && why !== 'switched') run.apply({ type: 'withdrawn', why, ...by });
}

/** The partial answer, from the failure of its call. Of a call that its worker did not end, only the cost is known. */
export function partialOf(error: unknown): PartialAnswer | undefined {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  if (cause instanceof TimeoutFailure) {
    const spending = spendingOf(cause.lastHeartbeatDetails);
    return spending && { parts: [], ...spending };
  }
  if (!(cause instanceof CancelledFailure || cause instanceof ApplicationFailure)) return undefined;
  const last: unknown = cause.details?.at(-1);
  return isJsonObject(last) && Array.isArray(last.parts) && isJsonObject(last.usage)
    ? (last as unknown as PartialAnswer)
    : undefined;
}
