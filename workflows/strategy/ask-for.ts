import type { CallModelResult, PartialAnswer } from '../../agent/protocol/calls/model-call';
import type { CallPurpose } from '../../agent/strategy/call-purpose';
import { throwIfBroken } from '../run/exchanges';
import type { Run } from '../run/run';
import { runSteps } from '../run/scheduling/steps';
import { modelFor } from '../state/selectors/model-in-use';
import { isOverBudget } from '../turn/keep-budget';
import { withdrawText } from '../turn/keep-partial-answer';
import { anyCallInput, callModel } from '../turn/model-call';

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
  const model = modelFor(run.state, purpose.for);
  const about = { model, for: purpose.for };
  const ended = await runSteps(callModel(run, { ...anyCallInput(run, model), purpose }));
  if ('answer' in ended) {
    const { answer } = ended;
    run.apply({ type: 'answered', answer, for: purpose.for });
    // What fits the window of this model says nothing about the one of the loop.
    const { trimming } = run.state;
    if (answer.budget !== undefined) run.apply({ type: 'measured', budget: answer.budget, trimming });
    if (run.interruption !== undefined) keepText(run, undefined, about);
    throwIfBroken(run);
    return { answer };
  }
  const { error, failure, partial } = ended;
  if (failure === undefined || run.interruption !== undefined) {
    keepText(run, partial, about);
    throw error;
  }
  if (partial !== undefined) run.apply({ type: 'spent', partial, ...about });
  run.apply({ type: 'unasked' });
  return { problem: `${failure.type ?? 'RunFailed'}, ${failure.message}`, isLimit: isOverBudget(failure) };
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
