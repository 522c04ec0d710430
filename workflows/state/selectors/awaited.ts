import type { AgentState } from '../../../agent/state/state';
import { waitsFor } from './wait-of';

/** What a run may wait for, as lists of runs show it. */
export type Waits = 'approval' | 'question' | 'answer' | 'message';

/** What a run waits for: a person's decision first, then a person's answer, then a service's, then the next message. */
export function awaitedOf({ batch, phase, inbox }: AgentState): Waits | undefined {
  if (phase.at === 'ended') return undefined;
  if (phase.at === 'idle' && inbox.length === 0) return 'message';
  if (waitsFor(batch, 'approval').length > 0) return 'approval';
  if (waitsFor(batch, 'question').length > 0) return 'question';
  // Child runs show for themselves what they wait for.
  const remote = waitsFor(batch, 'answer').some(({ service: { kind } }) => kind === 'event' || kind === 'signal');
  return remote ? 'answer' : undefined;
}
