import {
  ActivityCancellationType,
  ActivityFailure,
  type ApplicationFailure,
  isCancellation,
  TimeoutFailure,
} from '@temporalio/workflow';
import { type ErrorType, HoldfastError } from '../../agent/errors/error';
import { DEFAULT_LIMITS, MODEL_ATTEMPTS, SLOW_ATTEMPTS } from '../../agent/limits';
import type { OutputDowngrade } from '../../agent/model/structured-output';
import { expectedMessage } from '../../agent/plan/answer-message';
import { mayRunWithAnswer, timeForTools } from '../../agent/plan/with-answer';
import { ACTIVITY } from '../../agent/protocol/activities';
import type { CallModelInput, CallModelResult, NearlyFull, PartialAnswer } from '../../agent/protocol/calls/model-call';
import type { Conclusion } from '../../agent/state/conclusion';
import type { AgentState } from '../../agent/state/state';
import { defined } from '../../agent/values/defined';
import { throwIfBroken } from '../run/exchanges';
import { endingOf, failureOf } from '../run/failures';
import type { Run } from '../run/run';
import { BACK_OFF } from '../run/scheduling/activity';
import { patiently } from '../run/scheduling/patient-activity';
import type { Steps } from '../run/scheduling/steps';
import { blockedCalls } from '../state/selectors/breakers';
import { decidesSince } from '../state/selectors/decides-since';
import { askedNext, hasCalled, mediaAgain } from '../state/selectors/in-exchange';
import { downgradeOf, forcesCall, modelInUse } from '../state/selectors/model-in-use';
import { outageOf } from '../state/selectors/phase';
import { filterInput } from '../state/selectors/tool-filter';
import { modelSummary } from '../view/summaries';
import { compact } from './compact';
import { deltaBytes, transcriptInput } from './delta';
import { callBudget, isOverBudget, lostCall, refuseCall, releaseCall, reserveCall, watchBudget } from './keep-budget';
import { endOfCall, partialOf } from './keep-partial-answer';
import { isSlow, outlast, waitFor } from './outage';
import { afterModelFailure, hasLargerWindow } from './switch-model';
import { compactsByItself, mayShrink, nearlyFull, trimmingInput } from './trimming';
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
    try {
      const room = run.bytes.spend(deltaBytes(run, input));
      if (room !== undefined) yield room;
      const answer = yield* callModel(run, input);
      run.thinking = false;
      releaseCall(run);
      take(run, input.model, answer);
      return { to: 'plan', answer };
    } catch (error) {
      run.thinking = false;
      const partial = lostCall(run, error) ?? partialOf(error);
      releaseCall(run);
      keepDowngrade(run, input.model, partial);
      const failure = isCancellation(error) ? undefined : failureOfCall(run, error);
      const isTeaching = teaches(run.state, input.model);
      if (run.interruption === undefined && isTeaching && mayShrink(failure?.type, partial, refused)) {
        refused++;
        run.apply({ type: 'tooLong', partial });
        if (compactsByItself(run.state)) yield compact(run);
        continue;
      }
      const full = conclude || !isTeaching ? undefined : nearlyFull(failure);
      if (run.interruption === undefined && failure !== undefined && full !== undefined) {
        conclude = makeRoom(run, full, failure);
        continue;
      }
      if (isOverBudget(failure) && run.interruption === undefined) {
        refuse(run, conclude, { model: input.model, failure, partial });
        return { to: 'gate' };
      }
      if (failure === undefined || run.interruption !== undefined)
        throw endOfCall(run, input.model, partial, failure ?? error);
      if (input.model !== modelInUse(run.state)) {
        // A person chose another one during the call.
        run.apply({ type: 'spent', model: input.model, ...defined({ partial }) });
        continue;
      }
      const wait = isSlow(error) ? undefined : waitFor(run.state, failure, Date.now());
      if (wait !== undefined) {
        yield outlast(run, wait, failure, partial).catch((end: unknown) => {
          throw endOfCall(run, input.model, undefined, end);
        });
        conclude = stillConcluding(run, conclude);
        // Here the run may go on in a new history.
        if (decidesSince(run.state, 5)) return { to: 'think', again: true, ...defined({ conclude }) };
        continue;
      }
      const next = afterModelFailure(run.state, failure.type ?? '');
      if (next === 'fail') throw endOfCall(run, input.model, partial, failure);
      const told = { type: failure.type ?? '', message: failure.message };
      run.apply({ type: next === 'next' ? 'switched' : 'fellBack', error: told, ...(partial ? { partial } : {}) });
      if (next === 'fallback') return { to: 'end' };
    }
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
  keepDowngrade(run, model, answer);
  if (run.interruption === undefined || results !== undefined) run.apply({ type: 'answered', answer });
  else run.apply({ type: 'answerInterrupted', model, partial: answer });
  if (answer.sections !== undefined) run.apply({ type: 'prompted', sections: answer.sections });
  if (budget !== undefined && trimming !== undefined) {
    run.apply({ type: 'measured', budget, trimming: teaches(run.state, model) ? trimming : run.state.trimming });
  }
  if (offered !== undefined) run.apply({ type: 'offered', offered });
  if (results === undefined) throwIfBroken(run);
}

/**
 * Whether a call says something about the window of the next ones. A person may have chosen another model during the call:
 * what fits into the one that was asked says nothing about that.
 */
function teaches(state: AgentState, asked: string): boolean {
  return asked === modelInUse(state) || !decidesSince(state, 2);
}

/** `model`: the one that was asked. A person may have chosen another one during the call. */
export function keepDowngrade(run: Run, model: string, called: { downgraded?: OutputDowngrade } | undefined): void {
  if (called?.downgraded !== undefined) run.apply({ type: 'downgraded', model, downgrade: called.downgraded });
}

/** Schedules one call of a model and gives the steps to its end. */
export function callModel(run: Run, input: CallModelInput): Steps<CallModelResult> {
  const { manifest } = run.state;
  const limits = manifest?.limits ?? DEFAULT_LIMITS;
  const { made } = run.calls;
  // Calls that run with the answer do not use up the time of the model.
  const toolTime = timeForTools(input);
  const call = patiently<CallModelResult>(ACTIVITY.callModel, input, {
    activityId: made === 1 ? `call-${input.turn}` : `call-${input.turn}-${made}`,
    // The activity itself decides, by the time it has used, which failure is the last.
    retry: { ...BACK_OFF, maximumAttempts: MODEL_ATTEMPTS },
    startToCloseTimeout: limits.modelTimeout + toolTime,
    scheduleToCloseTimeout: SLOW_ATTEMPTS * (limits.modelTimeout + toolTime) + BACK_OFF.maximumInterval,
    heartbeatTimeout: limits.heartbeatTimeout,
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    bytes: run.bytes,
    // An earlier attempt, on a worker that has the agent, may have reached the model.
    onMissing(error) {
      run.apply({
        type: 'spent',
        model: input.model,
        ...defined({ for: input.purpose?.for, partial: partialOf(error) }),
      });
      return { ...input, ...callBudget(run.state) };
    },
    summary: modelSummary({ ...input, again: run.state.phase.at === 'outage' }),
  });
  const { model, transcript, purpose } = input;
  run.apply({ type: 'sent', transcript, ...(purpose ? {} : { asked: askedNext(run.state, model) }) });
  reserveCall(run, input.model);
  run.thinking = true;
  return call;
}

function callInput(run: Run, conclude: Conclusion | undefined): CallModelInput {
  const { state } = run;
  const { turn, lifecycle, manifest, chainId } = state;
  const model = modelInUse(state);
  run.calls = { turn, made: run.calls.turn === turn ? run.calls.made + 1 : 1, model };
  return {
    pin: run.pin,
    turn,
    facts: state.facts,
    lifecycle,
    model,
    ...(run.calls.made > 1 ? { takesOver: true as const } : {}),
    ...(outageOf(state)?.asked ? { despiteOutage: true as const } : {}),
    ...defined({ structuredOutput: downgradeOf(state, model) }),
    ...(conclude ? { toolChoice: 'none' as const } : {}),
    ...filterInput(state, { again: conclude !== undefined }),
    ...callBudget(state),
    ...defined({ blocked: blockedCalls(state) }),
    ...(forcesCall(state) && !conclude && !hasCalled(state) ? { uncalled: true as const } : {}),
    ...(manifest?.tools.some(mayRunWithAnswer) ? { chainId } : {}),
    ...(conclude ? {} : defined({ reminder: state.reminder?.text })),
    ...transcriptInput(run),
    ...trimmingInput(state),
    ...mediaAgain(state, model),
    ...sectionsInput(state),
  };
}

/** What a turn message is made from, beside the transcript. */
function sectionsInput({ manifest, opened, sections }: AgentState): Pick<CallModelInput, 'opened' | 'sections'> {
  return manifest?.prompt === undefined ? {} : { opened, ...defined({ sections }) };
}

/** The failure, with a type that decides what to do next. A timeout has no such type of its own. */
export function failureOfCall({ state }: Run, error: unknown, model = modelInUse(state)): ApplicationFailure {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  if (!(cause instanceof TimeoutFailure)) return endingOf(error, state.id);
  const address = 'the address of its alias';
  return failureOf(new HoldfastError('ModelUnavailable', { model, address, problem: 'it gave no answer in time' }));
}
