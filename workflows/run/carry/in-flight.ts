import type { BatchCall } from '../../../agent/state/batch';
import type { AgentState } from '../../../agent/state/state';
import { isHeldBack, openCalls, toolOf } from '../../state/selectors/calls';
import { isBeingUndone } from '../../state/selectors/effects';
import { waitOf } from '../../state/selectors/wait-of';

/**
 * Calls, and inverses as `<id>/undo`, whose activity or child another Temporal run could not continue, as far as the
 * state shows them. Empty: each open call waits for a person or for a service, or for its turn after one that does.
 */
export function callsInFlight(state: AgentState): string[] {
  const { batch, effects } = state;
  const open = openCalls(batch);
  const undos = effects.filter(isBeingUndone).map(({ toolUseId }) => `${toolUseId}/undo`);
  const working = open.filter((call) => !waits(state, call) && !isHeldBack(batch, call));
  // When no call waits, the answers are being checked and the results become messages.
  const settling = batch.length > 0 && !open.some((call) => waits(state, call)) && working.length === 0;
  return [...(settling ? batch : working).map(({ toolUseId }) => toolUseId), ...undos];
}

/** Whether a call needs nothing but a message to the run, or the time at which it expires. */
function waits(state: AgentState, call: BatchCall): boolean {
  const wait = waitOf(call);
  // The request of an MCP server is not part of the state: its keys and the server's own state would be lost.
  if (wait?.for === 'question') return toolOf(state, call.name)?.kind === 'loop';
  // A child is bound to the Temporal run that started it.
  if (wait?.for === 'answer') return wait.service.kind === 'event' || wait.service.kind === 'signal';
  return wait?.for === 'approval';
}
