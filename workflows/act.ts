import { ActivityCancellationType, CancellationScope, CancelledFailure } from '@temporalio/workflow';
import type { RunToolInput, ToolOutcome } from '../agent/activities';
import { startToClose } from '../agent/attempt-time';
import { jsonBytes } from '../agent/json';
import { ATTEMPTS, DEFAULT_LIMITS, INLINE } from '../agent/limits';
import type { ToolSpec } from '../agent/manifest';
import type { ModelAnswer } from '../agent/model-answer';
import type { AwaitingCall } from '../agent/state';
import { BACK_OFF, runActivity } from './activity';
import { runInline } from './inline';
import { outcomeOfFailure } from './outcome';
import type { Run } from './run';
import { toolSummary } from './summaries';

/** Runs all calls of an answer at once; each result is a fact when it comes, and a message when all have come. */
export async function act(run: Run, answer: ModelAnswer): Promise<void> {
  run.apply({ type: 'acting', answer });
  const calls = run.state.awaiting.filter((call) => call.problem === undefined);
  // One normal activity beside them would wait for the inline ones, which hold the workflow task open.
  const inline = calls.length <= INLINE.calls && calls.every((call) => toolOf(run, call).placement === 'inline');
  const [first] = calls;
  // One call is the usual case, and the SDK takes a stack trace of each promise that Promise.all would make.
  if (first !== undefined && calls.length === 1) await settle(run, first, inline);
  else await Promise.all(calls.map((call) => settle(run, call, inline)));
  run.apply({ type: 'batchSettled' });
  // The transcript is whole at this point, each call has its result: now the cancel may go on.
  if (CancellationScope.current().consideredCancelled) throw new CancelledFailure('the run was cancelled');
}

function toolOf({ state }: Run, call: AwaitingCall): ToolSpec {
  const tool = state.manifest?.tools.find(({ name }) => name === call.name);
  if (tool === undefined) throw new Error(`${call.name} is pinned by no manifest`);
  return tool;
}

async function settle(run: Run, call: AwaitingCall, inline: boolean): Promise<void> {
  const { state } = run;
  const { toolUseId } = call;
  const tool = toolOf(run, call);
  const input: RunToolInput = {
    pin: state.pin ?? { manifest: '', context: '' },
    turn: state.turn,
    toolUseId,
    idempotencyKey: `${state.firstRunId}/${toolUseId}`,
    input: call.input,
  };
  let outcome: ToolOutcome | undefined;
  try {
    const room = run.bytes.spend(jsonBytes(input));
    if (room !== undefined) await room;
    if (inline) outcome = await runInline(tool, input);
    outcome ??= await runActivity<ToolOutcome>(tool.name, input, optionsOf(tool, call, run));
  } catch (error) {
    outcome = outcomeOfFailure(error, tool);
  }
  run.apply({ type: 'settled', toolUseId, outcome });
}

const CANCELLATION = {
  wait: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  abandon: ActivityCancellationType.TRY_CANCEL,
} as const;

function optionsOf(tool: ToolSpec, call: AwaitingCall, { state }: Run) {
  return {
    activityId: call.toolUseId,
    // A `once` tool is never tried again by itself. What the others throw is a result, unless the tool has attempts left,
    // so that mostly a lost worker is what is retried.
    retry: tool.effect === 'once' ? { maximumAttempts: 1 } : { ...BACK_OFF, maximumAttempts: ATTEMPTS },
    startToCloseTimeout: startToClose(tool),
    heartbeatTimeout:
      tool.heartbeatTimeout ?? state.manifest?.limits.heartbeatTimeout ?? DEFAULT_LIMITS.heartbeatTimeout,
    cancellationType: CANCELLATION[tool.cancellation],
    summary: toolSummary(tool, state.turn, call),
  };
}
