import type { BlockedCalls } from '../../../agent/breakers/blocked-calls';
import type { AgentState } from '../../../agent/state/state';
import { defined } from '../../../agent/values/defined';

/** The calls that breakers stop; `undefined` if there are none. */
export function blockedCalls({ breakers, manifest }: AgentState): BlockedCalls | undefined {
  if (breakers === undefined || manifest?.breakers === undefined) return undefined;
  const { withdrawn, made, failing } = breakers;
  const blocked = defined({
    withdrawn: withdrawn.length > 0 ? withdrawn : undefined,
    made: made.length > 0 ? made.map(({ key }) => key) : undefined,
    failed: failing.times >= manifest.breakers.identicalFailures ? failing : undefined,
  });
  return Object.keys(blocked).length > 0 ? blocked : undefined;
}
