import { ActivityCancellationType, ActivityFailure, isCancellation } from '@temporalio/workflow';
import { DEFAULT_LIMITS } from '../../agent/limits';
import { ACTIVITY } from '../../agent/protocol/activities';
import { SUMMARY_CALL } from '../../agent/protocol/calls/call-spent';
import type { CompactActivityResult, CompactInput } from '../../agent/protocol/calls/compaction';
import { compactable, kept, methodOf } from '../../agent/window/compaction-due';
import { endingOf } from '../run/failures';
import type { Run } from '../run/run';
import { BACK_OFF } from '../run/scheduling/activity';
import { runPatiently } from '../run/scheduling/patient-activity';
import { modelInUse } from '../state/selectors/model-in-use';
import { filterInput } from '../state/selectors/tool-filter';
import { compactSummary } from '../view/summaries';
import { deltaBytes, transcriptInput } from './delta';
import { callBudget, leftOfCall, releaseCall, reserveSummary, summaryRefused } from './keep-budget';
import { partialOf } from './keep-partial-answer';
import { windowInUse } from './trimming';

/** Attempts of a compaction: one that fails costs only the old messages. */
const ATTEMPTS = 5;
/** Milliseconds that all attempts may take. */
const PATIENCE = 300_000;

/**
 * Replaces old messages in what is sent; the transcript keeps them. A compaction that fails is a fact: old messages are
 * then left out.
 */
export async function compact(run: Run): Promise<void> {
  if (compactable(run.state) === 0) {
    run.apply({ type: 'notCompacted' });
    return;
  }
  const refused = methodOf(run.state) === 'summarise' ? summaryRefused(run.state) : undefined;
  if (refused !== undefined) {
    run.apply({ type: 'notCompacted', error: { type: refused.type, message: refused.message } });
    return;
  }
  const input = compactInput(run);
  const room = run.bytes.spend(deltaBytes(run, input));
  if (room !== undefined) await room;
  try {
    const { result, spent } = await compacted(run, input);
    releaseCall(run);
    if (spent !== undefined) run.apply({ type: 'spentOnSummary', spent });
    if (result.ok) run.apply({ type: 'compacted', method: input.method, result, ...(spent && { model: spent.model }) });
    else run.apply({ type: 'notCompacted', error: result.error });
  } catch (error) {
    const partial = leftOfCall(run, error, run.summaryCall?.spent);
    if (partial !== undefined) run.apply({ type: 'spentOnSummary', spent: { model: input.writer, ...partial } });
    if (isCancellation(error)) run.apply({ type: 'notCompacted' });
    if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
    const { type, message } = endingOf(error, run.state.id);
    run.apply({ type: 'notCompacted', error: { type: type ?? 'RunFailed', message } });
  } finally {
    run.summaryCall = undefined;
  }
}

function compactInput(run: Run): CompactInput {
  const { state, pin } = run;
  const { turn, opened } = state;
  const model = modelInUse(state);
  const method = methodOf(state);
  return {
    pin,
    turn,
    model,
    method,
    writer: state.manifest?.context?.model ?? model,
    keep: kept(state),
    ...transcriptInput(run),
    trimming: windowInUse(state),
    opened,
    ...filterInput(state, { again: true }),
    ...(method === 'summarise' ? callBudget(state) : {}),
  };
}

function compacted(run: Run, input: CompactInput): Promise<CompactActivityResult> {
  const { limits } = run.state.manifest ?? { limits: DEFAULT_LIMITS };
  const call = runPatiently<CompactActivityResult>(ACTIVITY.compact, input, {
    retry: { ...BACK_OFF, maximumAttempts: ATTEMPTS },
    startToCloseTimeout: Math.min(limits.modelTimeout, PATIENCE),
    scheduleToCloseTimeout: PATIENCE,
    heartbeatTimeout: limits.heartbeatTimeout,
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    bytes: run.bytes,
    // An earlier attempt, on a worker that has the agent, may have reached the model.
    onMissing(error) {
      const partial = partialOf(error);
      if (partial !== undefined) run.apply({ type: 'spentOnSummary', spent: { model: input.writer, ...partial } });
      return { ...input, ...(input.budget === undefined ? {} : callBudget(run.state)) };
    },
    summary: compactSummary(input),
  });
  run.apply({ type: 'sent', transcript: input.transcript });
  run.apply({ type: 'compacting', method: input.method });
  run.summaryCall = { id: SUMMARY_CALL };
  if (input.method === 'summarise') reserveSummary(run, input.writer);
  return call;
}
