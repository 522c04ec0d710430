import { ApplicationFailure, CancellationScope, CancelledFailure, isCancellation } from '@temporalio/workflow';
import type { RunResult } from '../../agent/protocol/run';
import type { AgentState } from '../../agent/state/state';
import { defined } from '../../agent/values/defined';
import { undoSettled } from '../commands/undo';
import { stoppedBy } from '../state/reducers/append';
import { isConversation } from '../state/selectors/mode';
import { endOf } from '../state/selectors/phase';
import { reportOf, spentByRun } from '../state/selectors/spent';
import { publishEnd } from '../view/visibility';
import { reply, replyFailure } from './answer-caller';
import { archiveOwnHistory } from './archive';
import { endingOf } from './failures';
import { lineageOf } from './lineage';
import type { Run } from './run';

/**
 * The life of a run to its end. Every end comes here: undos in progress are waited for, the caller is told, and lists
 * of runs show it.
 */
export async function toItsEnd(run: Run, life: () => Promise<void>): Promise<RunResult> {
  try {
    await life();
    const { phase, answer } = run.state;
    // The last answer of a conversation is its output; a task has ended with its own.
    if (phase.at !== 'ended') run.apply({ type: 'ended', reason: 'completed', data: answer?.data ?? null });
    await undoSettled(run);
    return await reply(run, resultOf(run));
  } catch (error) {
    const failure = endBadly(run, error);
    await undoSettled(run);
    await replyFailure(run);
    throw failure;
  } finally {
    run.over = true;
    publishEnd(run);
    await archiveOwnHistory(run);
  }
}

function resultOf({ state }: Run): RunResult {
  return {
    data: endOf(state)?.data ?? null,
    ...spentByRun(state),
    calls: reportOf(state).calls,
    ...stoppedBy(state, endOf(state)?.reason ?? 'completed'),
    ...(isConversation(state) ? { exchanges: state.exchange } : {}),
  };
}

/** Tells the agent that delegated to the run what it has used, beside what is wrong. */
function withReport(state: AgentState, failure: ApplicationFailure): ApplicationFailure {
  if (lineageOf(state).length === 1) return failure;
  const { type, message, details } = failure;
  return ApplicationFailure.create({
    message,
    details: [details?.[0] ?? null, reportOf(state)],
    nonRetryable: failure.nonRetryable === true,
    ...defined({ type: type ?? undefined }),
  });
}

/** Ends the run as cancelled, or as failed with a type and a text. */
function endBadly(run: Run, error: unknown): unknown {
  // After a cancel request the run ends as cancelled, even where something fails then, such as a call whose worker
  // died.
  if (isCancellation(error) || CancellationScope.current().consideredCancelled) {
    run.apply({ type: 'ended', reason: 'cancelled' });
    return isCancellation(error) ? error : new CancelledFailure('the run was cancelled');
  }
  const failure = withReport(run.state, endingOf(error, run.state.id));
  run.apply({
    type: 'ended',
    reason: 'failed',
    error: { type: failure.type ?? 'RunFailed', message: failure.message },
  });
  return failure;
}
