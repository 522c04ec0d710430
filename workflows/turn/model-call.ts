import {
  ActivityCancellationType,
  ActivityFailure,
  type ApplicationFailure,
  isCancellation,
  TimeoutFailure,
} from '@temporalio/workflow';
import { HoldfastError } from '../../agent/errors/error';
import { DEFAULT_LIMITS, MODEL_ATTEMPTS, SLOW_ATTEMPTS } from '../../agent/limits';
import type { OutputDowngrade } from '../../agent/model/structured-output';
import { timeForTools } from '../../agent/plan/with-answer';
import { ACTIVITY } from '../../agent/protocol/activities';
import type { CallModelInput, CallModelResult, PartialAnswer } from '../../agent/protocol/calls/model-call';
import { defined } from '../../agent/values/defined';
import { endingOf, failureOf } from '../run/failures';
import type { Run } from '../run/run';
import { BACK_OFF } from '../run/scheduling/activity';
import { patiently } from '../run/scheduling/patient-activity';
import type { Steps } from '../run/scheduling/steps';
import { askedNext } from '../state/selectors/in-exchange';
import { downgradeOf } from '../state/selectors/model-in-use';
import { modelSummary } from '../view/summaries';
import { deltaBytes, transcriptInput } from './delta';
import { callBudget, leftOfCall, releaseCall, reserveCall } from './keep-budget';
import { partialOf } from './keep-partial-answer';
import { trimmingInput } from './trimming';

/** What every model call is made from, whatever it is for. It counts as made. */
export function anyCallInput(run: Run, model: string): CallModelInput {
  const { state, pin } = run;
  const { turn, facts, lifecycle } = state;
  const made = run.callsOfTurn.turn === turn ? run.callsOfTurn.made + 1 : 1;
  run.callsOfTurn = { turn, made };
  return {
    ...{ pin, turn, facts, lifecycle, model },
    ...(made > 1 ? { takesOver: true as const } : {}),
    ...defined({ structuredOutput: downgradeOf(state, model) }),
    ...callBudget(state),
    ...transcriptInput(run),
    ...trimmingInput(state),
  };
}

/** How a model call has ended. */
export type EndedCall =
  | { answer: CallModelResult }
  /** `failure`: its type decides what to do next; missing where the call was cancelled. `partial`: what is left of it. */
  | { error: unknown; failure: ApplicationFailure | undefined; partial: PartialAnswer | undefined };

/** Makes one call of a model and gives the steps to its end: it is no longer in progress, and nothing is set aside for it. */
export function* callModel(run: Run, input: CallModelInput): Steps<EndedCall> {
  const { model } = input;
  try {
    const room = run.bytes.spend(deltaBytes(run, input));
    if (room !== undefined) yield room;
    const answer = yield* schedule(run, input);
    // It tells what all attempts have cost.
    run.modelCall = undefined;
    releaseCall(run);
    keepDowngrade(run, model, answer);
    return { answer };
  } catch (error) {
    const { spent } = run.modelCall ?? {};
    run.modelCall = undefined;
    const partial = leftOfCall(run, error, spent);
    keepDowngrade(run, model, partial);
    return { error, failure: isCancellation(error) ? undefined : failureOfCall(run, error, model), partial };
  }
}

function schedule(run: Run, input: CallModelInput): Steps<CallModelResult> {
  const { limits = DEFAULT_LIMITS } = run.state.manifest ?? {};
  const { turn, model, transcript, purpose } = input;
  const { made } = run.callsOfTurn;
  const id = made === 1 ? `call-${turn}` : `call-${turn}-${made}`;
  // Calls that run with the answer do not use up the time of the model.
  const toolTime = timeForTools(input);
  const call = patiently<CallModelResult>(ACTIVITY.callModel, input, {
    activityId: id,
    // The activity itself decides, by the time it has used, which failure is the last.
    retry: { ...BACK_OFF, maximumAttempts: MODEL_ATTEMPTS },
    startToCloseTimeout: limits.modelTimeout + toolTime,
    scheduleToCloseTimeout: SLOW_ATTEMPTS * (limits.modelTimeout + toolTime) + BACK_OFF.maximumInterval,
    heartbeatTimeout: limits.heartbeatTimeout,
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    bytes: run.bytes,
    // An earlier attempt, on a worker that has the agent, may have reached the model.
    onMissing(error) {
      run.apply({ type: 'spent', model, ...defined({ for: purpose?.for, partial: partialOf(error) }) });
      return { ...input, ...callBudget(run.state) };
    },
    summary: modelSummary({ ...input, again: run.state.phase.at === 'outage' }),
  });
  run.apply({ type: 'sent', transcript, ...(purpose ? {} : { asked: askedNext(run.state, model) }) });
  reserveCall(run, model);
  run.modelCall = { id, ...(purpose === undefined ? { model } : {}) };
  return call;
}

/** `model`: the one that was asked. A person may have chosen another one during the call. */
function keepDowngrade(run: Run, model: string, called: { downgraded?: OutputDowngrade } | undefined): void {
  if (called?.downgraded !== undefined) run.apply({ type: 'downgraded', model, downgrade: called.downgraded });
}

/** A timeout has no type of its own that decides what to do next. */
function failureOfCall({ state }: Run, error: unknown, model: string): ApplicationFailure {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  if (!(cause instanceof TimeoutFailure)) return endingOf(error, state.id);
  const address = 'the address of its alias';
  return failureOf(new HoldfastError('ModelUnavailable', { model, address, problem: 'it gave no answer in time' }));
}
