import type { ModelAnswer } from '../../agent/model/answer';
import type { CallPlan } from '../../agent/plan/plan-calls';
import type { CallModelResult } from '../../agent/protocol/calls/model-call';
import type { Conclusion } from '../../agent/state/conclusion';
import type { AgentState } from '../../agent/state/state';
import type { PlanMove } from '../../agent/strategy/next-move';
import { outageOf } from '../state/selectors/phase';

/** The next step of the loop, with its input. `end`: the task, or the exchange, is over. */
export type Verdict =
  | { to: 'gate' }
  | { to: 'compact' }
  | ({ to: 'think' } & Thinking)
  /** The strategy of the agent goes on instead of the single loop. */
  | { to: 'strategy'; move: PlanMove }
  | { to: 'plan'; answer: CallModelResult }
  /** Calls of an answer wait since an earlier history. */
  | { to: 'resume' }
  | { to: 'act'; answer: CallModelResult; plan: CallPlan }
  /** `isPlanned`: the answer ends a plan, and no call has to give it. */
  | { to: 'finish'; answer: ModelAnswer; isPlanned?: true }
  | { to: 'end' };

/** `again`: the model gave no answer, and the call is made once more, in the same turn. */
export interface Thinking {
  conclude?: Conclusion;
  again?: true;
}

/** Where the loop begins, or goes on in a new history. */
export function firstStep(state: AgentState): Verdict {
  if (state.batch.length > 0) return { to: 'resume' };
  if (outageOf(state) === undefined) return { to: 'gate' };
  return { to: 'think', again: true, ...(state.concluding ? { conclude: state.concluding } : {}) };
}
