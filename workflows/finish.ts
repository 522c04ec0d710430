import { ActivityCancellationType } from '@temporalio/workflow';
import { ACTIVITY, type BuildOutputInput, type BuildOutputResult } from '../agent/activities';
import { HoldfastError } from '../agent/error';
import { DEFAULT_LIMITS } from '../agent/limits';
import { textOf } from '../agent/message';
import type { ModelAnswer } from '../agent/model-answer';
import { EMPTY_ANSWER } from '../agent/tool-outcome';
import { FOR_A_MINUTE, runActivity } from './activity';
import type { Run } from './run';

/** Makes the run's output from an answer. What is wrong with it goes back to the model; true means done. */
export async function finish(run: Run, answer: ModelAnswer): Promise<boolean> {
  const built = await outputOf(run, answer).catch((error: unknown) => {
    // The run ends here, cancelled or failed: what the model said stays readable.
    run.apply({ type: 'unchecked', answer });
    throw error;
  });
  if ('data' in built) {
    const text = typeof built.data === 'string' ? built.data : JSON.stringify(built.data);
    run.apply({ type: 'completed', data: built.data, text });
    return true;
  }
  run.apply({ type: 'outputRejected', answer, error: built.error });
  return false;
}

async function outputOf({ state, pin }: Run, answer: ModelAnswer): Promise<BuildOutputResult> {
  const content = textOf(answer);
  // Without a schema and a builder there is nothing that a worker would have to check.
  if (!state.manifest?.checksOutput) return content.trim() === '' ? { error: EMPTY_ANSWER } : { data: content };
  const input: BuildOutputInput = { pin, turn: state.turn, content };
  return runActivity<BuildOutputResult>(ACTIVITY.buildOutput, input, {
    retry: FOR_A_MINUTE,
    startToCloseTimeout: 120_000,
    heartbeatTimeout: state.manifest?.limits.heartbeatTimeout ?? DEFAULT_LIMITS.heartbeatTimeout,
    cancellationType: ActivityCancellationType.TRY_CANCEL,
    summary: `turn ${state.turn}: check the answer`,
  });
}

export function exhausted({ state }: Run): HoldfastError {
  return new HoldfastError('ToolQuotaExhausted', { max: state.toolInteractions.max });
}
