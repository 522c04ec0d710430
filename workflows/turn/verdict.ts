import type { ModelAnswer } from '../../agent/model/answer';
import type { CallPlan } from '../../agent/plan/plan-calls';
import type { CallModelResult } from '../../agent/protocol/calls/model-call';
import type { Conclusion } from '../../agent/state/conclusion';
import type { PlanMove } from '../../agent/strategy/next-move';

/** The next step of the loop, with its input. `end`: the task, or the exchange, is over. */
export type Verdict =
  | { to: 'gate' }
  | { to: 'compact' }
  | { to: 'think'; conclude?: Conclusion }
  /** The strategy of the agent goes on instead of the single loop. */
  | { to: 'strategy'; move: PlanMove }
  | { to: 'plan'; answer: CallModelResult }
  /** Calls of an answer wait since an earlier history. */
  | { to: 'resume' }
  | { to: 'act'; answer: CallModelResult; plan: CallPlan }
  /** `isPlanned`: the answer ends a plan, and no call has to give it. */
  | { to: 'finish'; answer: ModelAnswer; isPlanned?: true }
  | { to: 'end' };
