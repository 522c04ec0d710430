import type { ModelAnswer } from '../../agent/model/answer';
import type { CallPlan } from '../../agent/plan/plan-calls';
import type { CallModelResult } from '../../agent/protocol/calls/model-call';
import type { Conclusion } from '../../agent/state/conclusion';

/** The next step of the loop, with its input. `end`: the task, or the exchange, is over. */
export type Verdict =
  | { to: 'gate' }
  | { to: 'compact' }
  | { to: 'think'; conclude?: Conclusion }
  | { to: 'plan'; answer: CallModelResult }
  /** Calls of an answer wait since an earlier history. */
  | { to: 'resume' }
  | { to: 'act'; answer: CallModelResult; plan: CallPlan }
  | { to: 'finish'; answer: ModelAnswer }
  | { to: 'end' };
