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

/** How the activity of a tool, or of its inverse, is retried, limited in time and cancelled. */
export function toolOptions(tool: ToolSpec, { manifest }: Pick<AgentState, 'manifest'>) {
  return {
    // A `once` tool is never retried automatically. An error that another tool throws is a result, unless the tool has
    // attempts left, so most retries follow a lost worker.
    retry: tool.effect === 'once' ? { maximumAttempts: 1 } : { ...BACK_OFF, maximumAttempts: ATTEMPTS },
    startToCloseTimeout: startToClose(tool),
    heartbeatTimeout: tool.heartbeatTimeout ?? manifest?.limits.heartbeatTimeout ?? DEFAULT_LIMITS.heartbeatTimeout,
    cancellationType: CANCELLATION[tool.cancellation],
  };
}
