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
  await Promise.all(
    calls.map(async (call) => {
      const outcome = await outcomeOf(run, call, inline);
      run.apply({ type: 'settled', toolUseId: call.toolUseId, outcome });
    }),
  );
  run.apply({ type: 'batchSettled' });
  // The transcript is whole at this point, each call has its result: now the cancel may go on.
  if (CancellationScope.current().consideredCancelled) throw new CancelledFailure('the run was cancelled');
}

function toolOf({ state }: Run, call: AwaitingCall): ToolSpec {
  const tool = state.manifest?.tools.find(({ name }) => name === call.name);
  if (tool === undefined) throw new Error(`${call.name} is pinned by no manifest`);
  return tool;
}

async function outcomeOf(run: Run, call: AwaitingCall, inline: boolean): Promise<ToolOutcome> {
  const { state } = run;
  const tool = toolOf(run, call);
  const input: RunToolInput = {
    pin: state.pin ?? { manifest: '', context: '' },
    turn: state.turn,
    toolUseId: call.toolUseId,
    idempotencyKey: `${state.firstRunId}/${call.toolUseId}`,
    input: call.input,
  };
  try {
    await run.bytes.spend(jsonBytes(input));
    const outcome = inline ? await runInline(tool, input) : undefined;
    return outcome ?? (await runActivity<ToolOutcome>(tool.name, input, optionsOf(tool, call, run)));
  } catch (error) {
    return outcomeOfFailure(error, tool);
  }
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
