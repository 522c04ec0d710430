import { ActivityCancellationType } from '@temporalio/workflow';
import { DEFAULT_LIMITS, START_ATTEMPT } from '../../agent/limits';
import type { ModelAnswer } from '../../agent/model/answer';
import { type ReasoningPart, textOf } from '../../agent/model/message';
import { checkRepeated } from '../../agent/plan/repeated-errors';
import { emptyAnswer } from '../../agent/prompts/answers';
import { ACTIVITY, type BuildOutputInput, type BuildOutputResult } from '../../agent/protocol/activities';
import { decidesSince, SINCE } from '../../agent/protocol/decisions';
import { type Json, jsonBytes } from '../../agent/values/json';
import { throwIfBroken } from '../run/exchanges';
import type { Run } from '../run/run';
import { UNTIL_IT_DECIDES } from '../run/scheduling/activity';
import { runPatiently } from '../run/scheduling/patient-activity';
import { checkAttempts } from '../state/reducers/progress/output-attempts';
import { judgeAnswer, replacementOf } from './judge-answer';
import { missedCall } from './missed-call';
import type { Verdict } from './verdict';

/**
 * Makes the output of a task, or of an exchange, from an answer. Problems with it go back to the model, and so do
 * messages that arrived meanwhile.
 */
export async function finish(run: Run, { answer, isPlanned }: Extract<Verdict, { to: 'finish' }>): Promise<Verdict> {
  // The answer to a plan comes from its results, and the model was told to call nothing.
  const missed = isPlanned ? undefined : missedCall(run.state, answer);
  const nudge = isPlanned || missed?.fault !== undefined ? undefined : judgeAnswer(run.state, answer);
  if (nudge !== undefined) {
    run.apply({ type: 'nudged', answer, nudge });
    return AGAIN;
  }
  if (missed !== undefined) {
    run.apply({ type: 'noCall', answer, missed });
    checkRepeated(run.state.repeated);
    return AGAIN;
  }
  if (steered(run, answer)) return AGAIN;
  const replacement = replacementOf(run.state, answer);
  if (replacement !== undefined) {
    run.apply({ type: 'replaced', ...withText(replacement) });
    return { to: 'end' };
  }
  const built = await outputOf(run, textOf(answer)).catch((error: unknown) => {
    // The run ends here, cancelled or failed. The answer stays in the transcript.
    run.apply({ type: 'unchecked', answer });
    throw error;
  });
  if (run.interruption !== undefined) run.apply({ type: 'unchecked', answer });
  throwIfBroken(run);
  if (steered(run, answer)) return AGAIN;
  if ('data' in built) {
    run.apply({ type: 'completed', ...withText(built.data), thoughts: thoughtsOf(run, answer) });
    return { to: 'end' };
  }
  run.apply({ type: 'outputRejected', answer, error: built.error });
  checkAttempts(run.state);
  return AGAIN;
}

/** Where calls are text, the thinking of an answer is part of the transcript, and is not sent back to the model. */
function thoughtsOf({ state }: Run, { parts }: ModelAnswer): ReasoningPart[] {
  if (state.manifest?.toolCalls !== 'text' || !decidesSince(state, SINCE.keepsThoughts)) return [];
  return parts.filter((part) => part.type === 'reasoning').map(({ type, text }) => ({ type, text }));
}

function withText(data: Json): { data: Json; text: string } {
  return { data, text: typeof data === 'string' ? data : JSON.stringify(data) };
}

const AGAIN: Verdict = { to: 'gate' };

/** After a message that arrived during the answer, the answer stays and the loop goes on. */
function steered(run: Run, answer: ModelAnswer): boolean {
  if (run.state.steers.length === 0) return false;
  run.apply({ type: 'unchecked', answer });
  return true;
}

/** Builds the output from an answer, or from the result that the model gives by a call. */
export async function outputOf({ state, pin, bytes }: Run, content: string): Promise<BuildOutputResult> {
  // Without a schema and a builder a worker has nothing to check.
  if (!state.manifest?.checksOutput) return content.trim() === '' ? { error: emptyAnswer() } : { data: content };
  const input: BuildOutputInput = { pin, turn: state.turn, content };
  const room = decidesSince(state, SINCE.countsOutput) ? bytes.spend(jsonBytes(input)) : undefined;
  if (room !== undefined) await room;
  return runPatiently<BuildOutputResult>(ACTIVITY.buildOutput, input, {
    retry: UNTIL_IT_DECIDES,
    startToCloseTimeout: START_ATTEMPT,
    heartbeatTimeout: state.manifest?.limits.heartbeatTimeout ?? DEFAULT_LIMITS.heartbeatTimeout,
    cancellationType: ActivityCancellationType.TRY_CANCEL,
    bytes,
    summary: `turn ${state.turn}: check the answer`,
  });
}
