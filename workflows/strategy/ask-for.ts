import { isCancellation } from '@temporalio/workflow';
import type { CallModelInput, CallModelResult, PartialAnswer } from '../../agent/protocol/calls/model-call';
import type { CallPurpose } from '../../agent/strategy/call-purpose';
import { defined } from '../../agent/values/defined';
import { throwIfBroken } from '../run/exchanges';
import type { Run } from '../run/run';
import { runSteps } from '../run/scheduling/steps';
import { downgradeOf, modelFor } from '../state/selectors/model-in-use';
import { deltaBytes, transcriptInput } from '../turn/delta';
import { callBudget, isOverBudget, lostCall, releaseCall } from '../turn/keep-budget';
import { partialOf, withdrawText } from '../turn/keep-partial-answer';
import { callModel, failureOfCall, keepDowngrade } from '../turn/think';
import { trimmingInput } from '../turn/trimming';

/**
 * An answer, or why there is none: the single loop, which has more models and more patience, then goes on. `isLimit`: the
 * budget did not allow the call, so the loop concludes.
 */
export type Asked = { answer: CallModelResult } | NoAnswer;
export interface NoAnswer {
  problem: string;
  isLimit: boolean;
}

/** Asks the model of a purpose. One that fails is not replaced, and not waited for. */
export async function askFor(run: Run, purpose: CallPurpose): Promise<Asked> {
  // The exchange may have been interrupted before the call began.
  throwIfBroken(run);
  run.apply({ type: 'asking', purpose });
  const input = callInput(run, purpose);
  const about = { model: input.model, for: purpose.for };
  try {
    const room = run.bytes.spend(deltaBytes(run, input));
    if (room !== undefined) await room;
    const answer = await runSteps(callModel(run, input));
    run.thinking = false;
    releaseCall(run);
    keepDowngrade(run, input.model, answer);
    run.apply({ type: 'answered', answer, for: purpose.for });
    // What fits the window of this model says nothing about the one of the loop.
    const { trimming } = run.state;
    if (answer.budget !== undefined) run.apply({ type: 'measured', budget: answer.budget, trimming });
    throwIfBroken(run);
    return { answer };
  } catch (error) {
    run.thinking = false;
    const partial = lostCall(run, error) ?? partialOf(error);
    releaseCall(run);
    keepDowngrade(run, input.model, partial);
    if (isCancellation(error) || run.interruption !== undefined) {
      keepText(run, partial, about);
      throw error;
    }
    if (partial !== undefined) run.apply({ type: 'spent', partial, ...about });
    run.apply({ type: 'unasked' });
    const failure = failureOfCall(run, error, input.model);
    return { problem: `${failure.type ?? 'RunFailed'}, ${failure.message}`, isLimit: isOverBudget(failure) };
  }
}

/** Keeps what an interrupted synthesis has said. The text of others is none that people read. */
function keepText(
  run: Run,
  partial: PartialAnswer | undefined,
  about: { model: string; for: CallPurpose['for'] },
): void {
  const isSaid = about.for === 'synthesis' && partial !== undefined && partial.parts.length > 0;
  if (isSaid) run.apply({ type: 'answerInterrupted', partial, ...about });
  else if (partial !== undefined) run.apply({ type: 'spent', partial, ...about });
  if (about.for === 'synthesis') withdrawText(run);
}

function callInput(run: Run, purpose: CallPurpose): CallModelInput {
  const { state } = run;
  const { turn, lifecycle } = state;
  const model = modelFor(state, purpose.for);
  run.calls = { turn, made: run.calls.turn === turn ? run.calls.made + 1 : 1 };
  return {
    pin: run.pin,
    turn,
    facts: state.facts,
    lifecycle,
    model,
    ...defined({ structuredOutput: downgradeOf(state, model) }),
    ...(run.calls.made > 1 ? { takesOver: true as const } : {}),
    purpose,
    ...callBudget(state),
    ...transcriptInput(run),
    ...trimmingInput(state),
  };
}
