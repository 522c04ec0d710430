import type { RunState } from '../../../agent/state/run-state';
import type { Waiting } from '../api/types';

/** What becomes of a message while the agent works, by what it is doing: queued, or sent now. */
export function meanwhileOf(
  { approvals, questions }: Pick<Waiting, 'approvals' | 'questions'>,
  outage: RunState['outage'],
): { queue: string; now: string } {
  if (questions.length > 0) {
    return {
      queue: 'the agent reads it after the question is answered.',
      now: 'the question is withdrawn, and the agent reads it instead.',
    };
  }
  if (approvals.length > 0) {
    const after = 'the agent reads it after the decision.';
    return { queue: after, now: after };
  }
  if (outage !== undefined) {
    return { queue: 'the model reads it when it answers again.', now: 'the model is asked again at once.' };
  }
  return {
    queue: 'the agent reads it at its next step.',
    now: 'the answer in progress stops. Tools that run finish first.',
  };
}
