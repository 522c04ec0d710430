import type { BlockedCalls } from '../../../agent/breakers/blocked-calls';
import type { AgentState } from '../../../agent/state/state';
import { stepsThat } from '../../../agent/strategy/ready-steps';
import { defined } from '../../../agent/values/defined';

/** The calls that breakers stop, or that a plan has made; `undefined` if there are none. */
export function blockedCalls(state: AgentState): BlockedCalls | undefined {
  const blocked = { ...brokenCalls(state), ...defined({ planned: plannedCalls(state) }) };
  return Object.keys(blocked).length > 0 ? blocked : undefined;
}

function brokenCalls({ breakers, manifest }: AgentState): BlockedCalls {
  if (breakers === undefined || manifest?.breakers === undefined) return {};
  const { withdrawn, made, failing } = breakers;
  return defined({
    withdrawn: withdrawn.length > 0 ? withdrawn : undefined,
    made: made.length > 0 ? made.map(({ key }) => key) : undefined,
    failed: failing.times >= manifest.breakers.identicalFailures ? failing : undefined,
  });
}

/** Within a plan, two steps may make the same call. */
function plannedCalls({ plan, exchange }: AgentState): string[] | undefined {
  if (plan?.exchange !== exchange || plan.stage !== 'over') return undefined;
  const keys = stepsThat(plan.steps, 'done').flatMap(({ call }) => (call === undefined ? [] : [call]));
  return keys.length > 0 ? keys : undefined;
}
