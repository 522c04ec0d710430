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
  mayHaveActed,
  noResult,
  outcomeUnknown,
  toolFailed,
  unknownFromEarlier,
} from '../../agent/prompts/calls/failed-calls';
import {
  inputUnread,
  neverStarted,
  notAvailable,
  notRun,
  noWorkerHasAgent,
} from '../../agent/prompts/calls/refused-calls';
import { STORAGE } from '../../agent/protocol/calls/storage-failures';
import type { ToolOutcome } from '../../agent/protocol/calls/tool-call';
import { errorOutcome } from '../../agent/protocol/calls/tool-outcome';
import { decidesSince, SINCE } from '../../agent/protocol/decisions';
import type { ToolSpec } from '../../agent/protocol/manifest';
import type { AgentState } from '../../agent/state/state';
import { isMissing, isUnread } from '../run/scheduling/patient-activity';

/** A tool, and the run that called it. */
interface Failed {
  tool: ToolSpec;
  state: Pick<AgentState, 'manifest'>;
}

/**
 * The outcome of a tool whose activity failed. For a tool that changes something it is unknown where the activity may
 * have started without reporting back: worker death (HEARTBEAT), the server's own time limits, and a worker that shut
 * down during the call.
 */
export function outcomeOfFailure(error: unknown, tool: ToolSpec, state: Failed['state']): ToolOutcome {
  const failed: Failed = { tool, state };
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (isCancellation(error)) return cancelled(error, failed);
  // Not thrown by the activity itself: it has run, and its result cannot be read.
  if (error === cause && error instanceof ApplicationFailure && error.type === 'UnreadablePayload') {
    return lost(failed, LOST.unreadable);
  }
  if (cause instanceof TimeoutFailure) {
    // SCHEDULE_TO_START means that no worker ever took it.
    const started = cause.timeoutType !== 'SCHEDULE_TO_START';
    return started ? lost(failed, LOST.worker) : errorOutcome('ToolTimedOut', neverStarted(tool.modelName));
  }
  if (cause instanceof ApplicationFailure && cause.type === 'WorkerShutdown') {
    return lost(failed, LOST.shutdown);
  }
  if (cause instanceof ApplicationFailure && cause.type === STORAGE.written) {
    return lost(failed, LOST.unwritten);
  }
  if (isUnread(error)) return unread(failed);
  const message = cause instanceof Error ? cause.message : String(cause);
  if (isMissing(error)) {
    // The worker tells people that the agent is missing.
    const why = cause instanceof ApplicationFailure && cause.type === 'ToolMissing' ? message : noWorkerHasAgent();
    return errorOutcome('ToolMissing', notAvailable(tool.modelName, why));
  }
  return errorOutcome('ToolFailed', toolFailed(tool.modelName, message));
}

function cancelled(error: unknown, { tool, state }: Failed): ToolOutcome {
  const open = error instanceof ActivityFailure;
  const cause = open ? error.cause : error;
  // The run does not wait for an abandoned call: whether it had begun is unknown, unless no activity of it was open.
  const started =
    (open && tool.cancellation === 'abandon') ||
    (cause instanceof CancelledFailure && cause.details?.[0] === 'started');
  return started && mayBeUnknown({ tool, state })
    ? lost({ tool, state }, LOST.cancel)
    : errorOutcome('ToolCancelled', cancelledText(tool.modelName));
}

/** The last attempt could not read its arguments. Which attempt was the first to fail in this way, the server does not tell. */
function unread({ tool, state }: Failed): ToolOutcome {
  return tool.effect === 'idempotent' && mayBeUnknown({ tool, state })
    ? errorOutcome('OutcomeUnknown', unknownFromEarlier(tool.modelName, inputUnread()))
    : errorOutcome('ToolFailed', notRun(tool.modelName, inputUnread()));
}

function lost({ tool, state }: Failed, why: string): ToolOutcome {
  if (!mayBeUnknown({ tool, state })) return errorOutcome('ToolFailed', noResult(tool.modelName, why));
  const text = tool.effect === 'once' ? outcomeUnknown : mayHaveActed;
  return errorOutcome('OutcomeUnknown', text(tool.modelName, why));
}

/**
 * Whether a call that was begun and gave no result has an unknown outcome. The model can make an `idempotent` call again
 * only under another key.
 */
function mayBeUnknown({ tool, state }: Failed): boolean {
  switch (tool.effect) {
    case 'once':
      return true;
    case 'idempotent':
      return decidesSince(state, SINCE.knowsLostAttempts);
    case 'read':
      return false;
  }
}
