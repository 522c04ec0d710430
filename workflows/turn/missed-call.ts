import type { CallFault, ModelAnswer } from '../../agent/model/answer';
import { noCall } from '../../agent/prompts/answers';
import { callAgain, noCallInText } from '../../agent/prompts/calls/text-calls';
import type { AgentState } from '../../agent/state/state';
import { hasCalled } from '../state/selectors/in-exchange';

/**
 * What follows an answer that had to have a call. `message`: the reminder joins the transcript. `call`: the model reads it
 * in its next call only.
 */
export interface MissedCall {
  reminder: string;
  in: 'message' | 'call';
  /** There is a call, but it cannot be read. */
  fault?: CallFault;
}

/** Whether an answer without a call is a mistake, and what the model is told. Not after it was asked to conclude. */
export function missedCall(state: AgentState, { callFault: fault, mustCall }: ModelAnswer): MissedCall | undefined {
  const { manifest, concluding } = state;
  if (manifest === undefined || concluding) return undefined;
  const completes = manifest.completes === true;
  if (manifest.toolCalls !== 'text') return completes ? { reminder: noCall(), in: 'message' } : undefined;
  if (fault !== undefined) return { reminder: callAgain(fault.message), in: 'call', fault };
  // An earlier worker did not say which of its models has to call.
  const isRequired = completes || (mustCall ?? (manifest.forcesCall === true && !hasCalled(state)));
  return isRequired ? { reminder: noCallInText({ completes }), in: 'call' } : undefined;
}
