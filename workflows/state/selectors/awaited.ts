import type { AgentState } from '../../../agent/state/state';
import { decidesSince } from './decides-since';
import { waitsFor } from './wait-of';

/** What a run may wait for, as lists of runs show it. */
export type Waits = 'approval' | 'question' | 'answer' | 'message' | 'model';

/**
 * What a run waits for: a model that does not answer, the next message, or for its calls a person's decision first, then a
 * person's answer, then a service's.
 */
export function awaitedOf(state: AgentState): Waits | undefined {
  const { batch, phase, inbox } = state;
  if (phase.at === 'ended') return undefined;
  if (phase.at === 'outage' && decidesSince(state, 3)) return 'model';
  if (phase.at === 'idle' && inbox.length === 0) return 'message';
  if (waitsFor(batch, 'approval').length > 0) return 'approval';
  if (waitsFor(batch, 'question').length > 0) return 'question';
  // Child runs show for themselves what they wait for.
  const remote = waitsFor(batch, 'answer').some(({ service: { kind } }) => kind === 'event' || kind === 'signal');
  return remote ? 'answer' : undefined;
}
