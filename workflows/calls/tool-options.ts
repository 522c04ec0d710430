import { ActivityCancellationType } from '@temporalio/workflow';
import { startToClose } from '../../agent/define/attempt-time';
import { ATTEMPTS, DEFAULT_LIMITS } from '../../agent/limits';
import type { ToolSpec } from '../../agent/protocol/manifest';
import type { AgentState } from '../../agent/state/state';
import { BACK_OFF } from '../run/scheduling/activity';

const CANCELLATION = {
  wait: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  abandon: ActivityCancellationType.TRY_CANCEL,
} as const;

/** How the activity of a tool is tried again, bounded in time and cancelled; that of its inverse as well. */
export function toolOptions(tool: ToolSpec, { manifest }: Pick<AgentState, 'manifest'>) {
  return {
    // A `once` tool is never tried again by itself. What the others throw is a result, unless the tool has attempts left,
    // so that mostly a lost worker is what is retried.
    retry: tool.effect === 'once' ? { maximumAttempts: 1 } : { ...BACK_OFF, maximumAttempts: ATTEMPTS },
    startToCloseTimeout: startToClose(tool),
    heartbeatTimeout: tool.heartbeatTimeout ?? manifest?.limits.heartbeatTimeout ?? DEFAULT_LIMITS.heartbeatTimeout,
    cancellationType: CANCELLATION[tool.cancellation],
  };
}
