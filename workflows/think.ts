import { ActivityCancellationType, ActivityFailure, ApplicationFailure, CancelledFailure } from '@temporalio/workflow';
import { ACTIVITY, type CallModelInput, type CallModelResult, type ModelCallRemains } from '../agent/activities';
import { isJsonObject } from '../agent/json';
import { ATTEMPTS, BYTES, DEFAULT_LIMITS } from '../agent/limits';
import type { ModelAnswer } from '../agent/model-answer';
import { BACK_OFF, runActivity } from './activity';
import type { Run } from './run';

/** Calls the model with what is new since the last call. A call that is cut short leaves its text and its usage. */
export async function think(run: Run, conclude: boolean): Promise<ModelAnswer> {
  run.apply({ type: 'calling', conclude });
  const input = callInput(run, conclude);
  const { manifest } = run.state;
  const limits = manifest?.limits ?? DEFAULT_LIMITS;
  await run.bytes.spend(
    input.delta === undefined ? 0 : run.index.bytes(run.state.messages, run.state.epoch, input.prefix.length),
  );
  try {
    const call = runActivity<CallModelResult>(ACTIVITY.callModel, input, {
      activityId: `call-${input.turn}`,
      retry: { ...BACK_OFF, maximumAttempts: ATTEMPTS },
      startToCloseTimeout: limits.modelTimeout,
      heartbeatTimeout: limits.heartbeatTimeout,
      cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
      summary: `turn ${input.turn}: ${manifest?.model ?? 'model'}`,
    });
    run.apply({ type: 'sent', transcript: input.transcript });
    const answer = await call;
    run.apply({ type: 'answered', answer });
    return answer;
  } catch (error) {
    const remains = remainsOf(error);
    if (remains !== undefined) run.apply({ type: 'cut', remains, model: manifest?.model ?? '' });
    throw error;
  }
}

function callInput(run: Run, conclude: boolean): CallModelInput {
  const { state, index } = run;
  const { messages, epoch, sent, pin, turn, lifecycle } = state;
  const prefix = sent.epoch === epoch ? sent : index.ref(messages, epoch, 0);
  return {
    pin: pin ?? { manifest: '', context: '' },
    turn,
    lifecycle,
    ...(conclude ? { toolChoice: 'none' as const } : {}),
    prefix,
    transcript: index.ref(messages, epoch),
    ...(index.bytes(messages, epoch, prefix.length) > BYTES.delta ? {} : { delta: messages.slice(prefix.length) }),
  };
}

function remainsOf(error: unknown): ModelCallRemains | undefined {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  if (!(cause instanceof CancelledFailure || cause instanceof ApplicationFailure)) return undefined;
  const last: unknown = cause.details?.at(-1);
  return isJsonObject(last) && Array.isArray(last.parts) && isJsonObject(last.usage)
    ? (last as unknown as ModelCallRemains)
    : undefined;
}
