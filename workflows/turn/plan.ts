import { planCalls } from '../../agent/plan/plan-calls';
import type { CallModelResult } from '../../agent/protocol/calls/model-call';
import type { AgentState } from '../../agent/state/state';
import { withOfferedTools } from '../../agent/strategy/offered-tools';
import { defined } from '../../agent/values/defined';
import { blockedCalls } from '../state/selectors/breakers';
import { freeOf } from '../state/selectors/budget';
import type { Verdict } from './verdict';

/** What follows an answer: its calls, or the output. A concluding answer runs no tools. */
export function plan(state: AgentState, answer: CallModelResult): Verdict {
  if (state.concluding || answer.toolRequests.length === 0) return { to: 'finish', answer };
  return {
    to: 'act',
    answer,
    plan: planCalls(answer.toolRequests, {
      ...state,
      ...defined({ manifest: state.manifest && withOfferedTools(state.manifest) }),
      toolCallsLeft: freeOf(state, 0).toolCalls,
      blocked: blockedCalls(state),
    }),
  };
}
