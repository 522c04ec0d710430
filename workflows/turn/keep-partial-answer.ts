import { ActivityFailure, ApplicationFailure, CancelledFailure, isCancellation } from '@temporalio/workflow';
import type { PartialAnswer } from '../../agent/protocol/activities';
import { isJsonObject } from '../../agent/values/json';
import type { Run } from '../run/run';

/** What a call leaves that gave no answer; gives `error` back. */
export function endOfCall(run: Run, partial: PartialAnswer | undefined, error: unknown): unknown {
  const isOutage = run.state.phase.at === 'outage';
  if (run.interruption !== undefined) withdraw(run, partial);
  else if (partial !== undefined) run.apply({ type: 'answerInterrupted', partial });
  const said = (partial?.parts.length ?? 0) > 0;
  // Where the call was broken off in the midst of it, the model may have read all that was sent.
  if (!said && (isOutage || !isCancellation(error))) run.apply({ type: 'unanswered' });
  return error;
}

/** What a call had said that was broken off for a person stays in the transcript, as such. */
function withdraw(run: Run, partial: PartialAnswer | undefined): void {
  if (partial !== undefined) run.apply({ type: 'answerInterrupted', partial });
  if (run.interruption !== undefined) run.apply({ type: 'withdrawn', ...run.interruption });
}

/** What had arrived of an answer, as the failure of its call carries it. */
export function partialOf(error: unknown): PartialAnswer | undefined {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  if (!(cause instanceof CancelledFailure || cause instanceof ApplicationFailure)) return undefined;
  const last: unknown = cause.details?.at(-1);
  return isJsonObject(last) && Array.isArray(last.parts) && isJsonObject(last.usage)
    ? (last as unknown as PartialAnswer)
    : undefined;
}
