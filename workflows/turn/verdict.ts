import type { ModelAnswer } from '../../agent/model/answer';
import type { CallPlan } from '../../agent/plan/plan-calls';
import type { CallModelResult } from '../../agent/protocol/calls/model-call';

/** The next step of the loop, with its input. `end`: the task, or the exchange, is over. */
export type Verdict =
  | { to: 'gate' }
  | { to: 'think'; conclude: boolean }
  | { to: 'plan'; answer: CallModelResult }
  | { to: 'act'; answer: CallModelResult; plan: CallPlan }
  | { to: 'finish'; answer: ModelAnswer }
  | { to: 'end' };
