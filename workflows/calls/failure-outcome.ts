import {
  ActivityFailure,
  ApplicationFailure,
  CancelledFailure,
  isCancellation,
  TimeoutFailure,
} from '@temporalio/workflow';
import type { ToolSpec } from '../../agent/protocol/manifest';
import type { ToolOutcome } from '../../agent/protocol/tool-call';
import { errorOutcome } from '../../agent/protocol/tool-outcome';
import { isMissing } from '../run/scheduling/patient-activity';

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
    return lost(tool, 'it ran, but its result cannot be read');
  }
  if (cause instanceof TimeoutFailure) {
    // SCHEDULE_TO_START means that no worker ever took it.
    const started = cause.timeoutType !== 'SCHEDULE_TO_START';
    return started
      ? lost(tool, 'its worker died or stopped answering')
      : errorOutcome('ToolTimedOut', `\`${tool.modelName}\` was never started.`);
  }
  if (cause instanceof ApplicationFailure && cause.type === 'WorkerShutdown') {
    return lost(tool, 'its worker was shut down during the call');
  }
  const message = cause instanceof Error ? cause.message : String(cause);
  if (isMissing(error)) {
    // The worker tells people that the agent is missing.
    const what = cause instanceof ApplicationFailure && cause.type === 'ToolMissing' ? message : NO_AGENT;
    return errorOutcome('ToolMissing', `\`${tool.modelName}\` was not run: ${what}`);
  }
  return errorOutcome('ToolFailed', `\`${tool.modelName}\` failed: ${message}`);
}

const NO_AGENT = 'no worker has its agent. Continue without it.';

function cancelled(error: unknown, tool: ToolSpec): ToolOutcome {
  const open = error instanceof ActivityFailure;
  const cause = open ? error.cause : error;
  // The run does not wait for an abandoned call: whether it had begun is unknown, unless no activity of it was open.
  const started =
    (open && tool.cancellation === 'abandon') ||
    (cause instanceof CancelledFailure && cause.details?.[0] === 'started');
  return started && tool.effect === 'once'
    ? lost(tool, 'the run was cancelled during the call')
    : errorOutcome('ToolCancelled', `\`${tool.modelName}\` was cancelled.`);
}

function lost(tool: ToolSpec, why: string): ToolOutcome {
  if (tool.effect !== 'once') return errorOutcome('ToolFailed', `\`${tool.modelName}\` gave no result: ${why}.`);
  return errorOutcome(
    'OutcomeUnknown',
    `It is unknown whether \`${tool.modelName}\` took effect: ${why}. It was not run a second time and will not be run ` +
      'again with the same arguments. Find out by other means what happened.',
  );
}
