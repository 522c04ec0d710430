import type { AgentState, BatchCall } from '../../../agent/state/state';
import { openCalls } from './calls';

/** What a run may wait for, as lists of runs show it. */
export type Waits = 'approval' | 'question' | 'answer' | 'message';

/** What a run waits for: a person's decision first, then a person's answer, then a service's, then the next message. */
export function awaitedOf({ batch, idle, end, inbox }: AgentState): Waits | undefined {
  if (end !== undefined) return undefined;
  if (idle && inbox.length === 0) return 'message';
  const open = openCalls(batch);
  if (open.some(({ approval }) => approval !== undefined && approval.decision === undefined)) return 'approval';
  if (open.some(({ questions = [] }) => questions.some(({ reply }) => reply === undefined))) return 'question';
  // Children show by themselves what they wait for.
  const remote = ({ service }: BatchCall) => service?.kind === 'event' || service?.kind === 'signal';
  return open.some(remote) ? 'answer' : undefined;
}
