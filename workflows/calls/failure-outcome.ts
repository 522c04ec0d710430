import {
  ActivityFailure,
  ApplicationFailure,
  CancelledFailure,
  isCancellation,
  TimeoutFailure,
} from '@temporalio/workflow';
import {
  cancelled as cancelledText,
  LOST,
  noResult,
  outcomeUnknown,
  toolFailed,
} from '../../agent/prompts/calls/failed-calls';
import { inputUnread, neverStarted, notRun, noWorkerHasAgent } from '../../agent/prompts/calls/refused-calls';
import { STORAGE } from '../../agent/protocol/calls/storage-failures';
import type { ToolOutcome } from '../../agent/protocol/calls/tool-call';
import { errorOutcome } from '../../agent/protocol/calls/tool-outcome';
import type { ToolSpec } from '../../agent/protocol/manifest';
import { isMissing, isUnread } from '../run/scheduling/patient-activity';

/**
 * The outcome of a tool whose activity failed. For a `once` tool it is unknown where the activity may have started
 * without reporting back: worker death (HEARTBEAT), the server's own time limits, and a worker that shut down during
 * the call.
 */
export function outcomeOfFailure(error: unknown, tool: ToolSpec): ToolOutcome {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (isCancellation(error)) return cancelled(error, tool);
  // Not thrown by the activity itself: it has run, and its result cannot be read.
  if (error === cause && error instanceof ApplicationFailure && error.type === 'UnreadablePayload') {
    return lost(tool, LOST.unreadable);
  }
  if (cause instanceof TimeoutFailure) {
    // SCHEDULE_TO_START means that no worker ever took it.
    const started = cause.timeoutType !== 'SCHEDULE_TO_START';
    return started ? lost(tool, LOST.worker) : errorOutcome('ToolTimedOut', neverStarted(tool.modelName));
  }
  if (cause instanceof ApplicationFailure && cause.type === 'WorkerShutdown') {
    return lost(tool, LOST.shutdown);
  }
  if (cause instanceof ApplicationFailure && cause.type === STORAGE.written) {
    return lost(tool, LOST.unwritten);
  }
  const message = cause instanceof Error ? cause.message : String(cause);
  if (isUnread(error)) return errorOutcome('ToolFailed', notRun(tool.modelName, inputUnread()));
  if (isMissing(error)) {
    // The worker tells people that the agent is missing.
    const what = cause instanceof ApplicationFailure && cause.type === 'ToolMissing' ? message : noWorkerHasAgent();
    return errorOutcome('ToolMissing', notRun(tool.modelName, what));
  }
  return errorOutcome('ToolFailed', toolFailed(tool.modelName, message));
}

function cancelled(error: unknown, tool: ToolSpec): ToolOutcome {
  const open = error instanceof ActivityFailure;
  const cause = open ? error.cause : error;
  // The run does not wait for an abandoned call: whether it had begun is unknown, unless no activity of it was open.
  const started =
    (open && tool.cancellation === 'abandon') ||
    (cause instanceof CancelledFailure && cause.details?.[0] === 'started');
  return started && tool.effect === 'once'
    ? lost(tool, LOST.cancel)
    : errorOutcome('ToolCancelled', cancelledText(tool.modelName));
}

function lost(tool: ToolSpec, why: string): ToolOutcome {
  if (tool.effect !== 'once') return errorOutcome('ToolFailed', noResult(tool.modelName, why));
  return errorOutcome('OutcomeUnknown', outcomeUnknown(tool.modelName, why));
}
