import type { ApplicationFailure } from '@temporalio/workflow';
import type { ErrorType } from '../../agent/errors/error';
import { expectedMessage } from '../../agent/plan/answer-message';
import { mayRunWithAnswer } from '../../agent/plan/with-answer';
import type { CallModelInput, CallModelResult, NearlyFull, PartialAnswer } from '../../agent/protocol/calls/model-call';
import { decidesSince, SINCE } from '../../agent/protocol/decisions';
import type { Conclusion } from '../../agent/state/conclusion';
import type { AgentState } from '../../agent/state/state';
import { defined } from '../../agent/values/defined';
import { brokenOff, throwIfBroken } from '../run/exchanges';
import type { Run } from '../run/run';
import type { Steps } from '../run/scheduling/steps';
import { blockedCalls } from '../state/selectors/breakers';
import { hasCalled, mediaAgain } from '../state/selectors/in-exchange';
import { forcesCall, modelInUse } from '../state/selectors/model-in-use';
import { outageOf } from '../state/selectors/phase';
import { filterInput } from '../state/selectors/tool-filter';
import { compact } from './compact';
import { isOverBudget, refuseCall, watchBudget } from './keep-budget';
import { endOfCall } from './keep-partial-answer';
import { anyCallInput, callModel } from './model-call';
import { isSlow, outlast, waitFor } from './outage';
import { afterModelFailure, hasLargerWindow } from './switch-model';
import { compactsByItself, mayShrink, nearlyFull } from './trimming';
import type { Thinking, Verdict } from './verdict';

/**
 * Asks the model, and the next one of the chain where it fails for good. When every model has failed, the agent's
 * static answer ends the task, or the exchange. The text and the usage of a call that ends the run are kept.
 */
export function* think(run: Run, { conclude: concludes, again }: Thinking): Steps<Verdict> {
  let conclude = concludes;
  if (!again) {
    // The exchange may have been interrupted before the call began.
    throwIfBroken(run);
    watchBudget(run, conclude);
    run.apply({ type: 'calling', ...defined({ conclude }) });
  }
  let refused = 0;
  for (;;) {
    conclude = stillConcluding(run, conclude);
    const input = callInput(run, conclude);
    const { model } = input;
    const ended = yield* callModel(run, input);
    if ('answer' in ended) {
      take(run, model, ended.answer);
      return { to: 'plan', answer: ended.answer };
    }
    const { error, failure, partial } = ended;
    if (failure === undefined || run.interruption !== undefined) {
      throw endOfCall(run, model, partial, failure ?? error);
    }
    const isTeaching = teaches(run.state, model);
    if (isTeaching && mayShrink(failure.type, partial, refused)) {
      refused++;
      run.apply({ type: 'tooLong', partial });
      if (compactsByItself(run.state)) yield compact(run);
      continue;
    }
    const full = conclude || !isTeaching ? undefined : nearlyFull(failure);
    if (full !== undefined) {
      conclude = makeRoom(run, full, failure);
      continue;
    }
    if (isOverBudget(failure)) {
      refuse(run, conclude, { model, failure, partial });
      return { to: 'gate' };
    }
    if (model !== modelInUse(run.state)) {
      // A person chose another one during the call.
      run.apply({ type: 'spent', model, ...defined({ partial }) });
      continue;
    }
    const wait = isSlow(error) ? undefined : waitFor(run.state, failure, Date.now());
    if (wait !== undefined) {
      yield outlast(run, wait, failure, partial).catch((end: unknown) => {
        throw endOfCall(run, model, undefined, end);
      });
      conclude = stillConcluding(run, conclude);
      // Here the run may go on in a new history.
      if (decidesSince(run.state, SINCE.carriesOutage)) return { to: 'think', again: true, ...defined({ conclude }) };
      continue;
    }
    const next = afterModelFailure(run.state, failure.type ?? '');
    if (next === 'fail') throw endOfCall(run, model, partial, failure);
    const told = { type: failure.type ?? '', message: failure.message };
    run.apply({ type: next === 'next' ? 'switched' : 'fellBack', error: told, ...defined({ partial }) });
    if (next === 'fallback') return { to: 'end' };
  }
}

/** Has a model with a larger window go on, or else the model in use conclude. */
function makeRoom(run: Run, full: NearlyFull, { message }: ApplicationFailure): Conclusion | undefined {
  if (hasLargerWindow(run.state, full)) {
    const type: ErrorType = 'ModelContextTooLong';
    run.apply({ type: 'switched', error: { type, message } });
    return undefined;
  }
  run.apply({ type: 'nearlyFull', left: full.left });
  return 'window';
}

/** A model that took over since the call was asked to conclude may have room for more. */
function stillConcluding(run: Run, conclude: Conclusion | undefined): Conclusion | undefined {
  if (conclude !== 'window' || run.state.concluding !== false) return conclude;
  run.apply({ type: 'goesOn' });
  return undefined;
}

/** Takes back a call that the budget does not allow. */
function refuse(
  run: Run,
  conclude: Conclusion | undefined,
  { model, failure, partial }: { model: string; failure: ApplicationFailure; partial: PartialAnswer | undefined },
): void {
  // Lost attempts of the call have cost something.
  endOfCall(run, model, partial, failure);
  refuseCall(run, conclude, failure);
}

/**
 * Takes an answer that has arrived. An answer in the same task as its interruption is kept as a partial answer. An
 * answer whose calls have already run stays whole, and the exchange is interrupted after it.
 */
function take(run: Run, model: string, answer: CallModelResult): void {
  const { budget, trimming, results, offered } = answer;
  run.answered = expectedMessage(answer, run.state.turn, run.state.manifest?.tools ?? []);
  if (run.interruption === undefined || results !== undefined) run.apply({ type: 'answered', answer });
  else run.apply({ type: 'answerInterrupted', model, partial: answer });
  if (answer.sections !== undefined) run.apply({ type: 'prompted', sections: answer.sections });
  if (budget !== undefined && trimming !== undefined) {
    run.apply({ type: 'measured', budget, trimming: teaches(run.state, model) ? trimming : run.state.trimming });
  }
  if (offered !== undefined) run.apply({ type: 'offered', offered });
  const broken = results === undefined ? brokenOff(run) : undefined;
  if (broken !== undefined) throw endOfCall(run, model, undefined, broken);
}

/**
 * Whether a call says something about the window of the next ones. A person may have chosen another model during the call:
 * what fits into the one that was asked says nothing about that.
 */
function teaches(state: AgentState, asked: string): boolean {
  return asked === modelInUse(state) || !decidesSince(state, SINCE.forgetsWindow);
}

function callInput(run: Run, conclude: Conclusion | undefined): CallModelInput {
  const { state } = run;
  const { manifest, chainId } = state;
  const model = modelInUse(state);
  return {
    ...anyCallInput(run, model),
    ...(outageOf(state)?.asked ? { despiteOutage: true as const } : {}),
    ...(conclude ? { toolChoice: 'none' as const } : {}),
    ...filterInput(state, { again: conclude !== undefined }),
    ...defined({ blocked: blockedCalls(state) }),
    ...(forcesCall(state) && !conclude && !hasCalled(state) ? { uncalled: true as const } : {}),
    ...(manifest?.tools.some(mayRunWithAnswer) ? { chainId } : {}),
    ...(conclude ? {} : defined({ reminder: state.reminder?.text })),
    ...mediaAgain(state, model),
    ...sectionsInput(state),
  };
}

/** What a turn message is made from, beside the transcript. */
function sectionsInput({ manifest, opened, sections }: AgentState): Pick<CallModelInput, 'opened' | 'sections'> {
  return manifest?.prompt === undefined ? {} : { opened, ...defined({ sections }) };
}
