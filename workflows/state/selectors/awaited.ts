import { decidesSince, SINCE } from '../../../agent/protocol/decisions';
import type { AwaitedService } from '../../../agent/state/awaited-service';
import type { AgentState } from '../../../agent/state/state';
import { waitOf } from './wait-of';

/** What a run may wait for, as lists of runs show it. */
export type Waits = 'approval' | 'question' | 'answer' | 'message' | 'model';

/**
 * What a run waits for: a model that does not answer, the next message, or for its calls a person's decision first, then a
 * person's answer, then a service's.
 */
export function awaitedOf(state: AgentState): Waits | undefined {
  const { batch, phase, inbox } = state;
  if (phase.at === 'ended') return undefined;
  if (phase.at === 'outage' && decidesSince(state, SINCE.listsOutage)) return 'model';
  if (phase.at === 'idle' && inbox.length === 0) return 'message';
  return awaitedIn(batch);
}

const REMOTE: ReadonlySet<AwaitedService['kind']> = new Set(['event', 'signal']);

/** In one pass: a batch can have thousands of calls, and this is asked whenever one of them ends. */
function awaitedIn(batch: AgentState['batch']): Exclude<Waits, 'message' | 'model'> | undefined {
  let found: 'question' | 'answer' | undefined;
  for (const call of batch) {
    const wait = waitOf(call);
    if (wait?.for === 'approval') return 'approval';
    if (wait?.for === 'question') found = 'question';
    // Child runs show for themselves what they wait for.
    else if (wait?.for === 'answer' && REMOTE.has(wait.service.kind)) found ??= 'answer';
  }
  return found;
}
