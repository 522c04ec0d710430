import { HoldfastError } from '../../../agent/errors/error';
import type { AgentState } from '../../../agent/state/state';
import { endOf } from '../../state/selectors/phase';

/** @throws HoldfastError `RunEnded`, or why the run could not begin */
export function checkNotEnded(state: AgentState): void {
  if (state.phase.at === 'ended') throw ended(state);
}

/** @throws HoldfastError `RunEnded` where the run takes no more messages, or why it could not begin */
export function checkTakesMessages(state: AgentState): void {
  if (state.phase.at === 'ended' || state.closing !== undefined) throw ended(state);
}

/** The sender of a message to a run that cannot begin is told why. */
function ended(state: AgentState): HoldfastError {
  const { reason, error } = endOf(state) ?? {};
  if (error !== undefined) return HoldfastError.revive(error.type, error.message, error.data);
  return new HoldfastError('RunEnded', { id: state.id, status: reason ?? 'closing' });
}
