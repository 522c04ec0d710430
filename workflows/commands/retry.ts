import { HoldfastError } from '../../agent/errors/error';
import { ACTIVITY, type WakeCallResult } from '../../agent/protocol/activities';
import { decidesSince, SINCE } from '../../agent/protocol/decisions';
import type { Run } from '../run/run';
import { outageOf, retryAt } from '../state/selectors/phase';
import type { Sender } from './checks/check-message';
import { checkNotEnded } from './checks/check-phase';
import { Parked } from './settle-command';

/**
 * Asks a model that does not answer again at once: one that the run waits for, or whose call waits for its next attempt. Where
 * the next call or attempt is being made at this moment, there is nothing left to do.
 */
export function retry(run: Run, sender: Sender): undefined | Parked<WakeCallResult> {
  if (asksAgain(run, sender)) return undefined;
  if (run.modelCall === undefined || !decidesSince(run.state, SINCE.wakesCall)) throw nothing(run);
  const check = { activity: ACTIVITY.wakeCall, input: {}, summary: 'make the next attempt of the model call at once' };
  return new Parked(check, (woken) => {
    // Meanwhile the run may have begun to wait.
    if (asksAgain(run, sender)) return;
    const { modelCall } = run;
    if (woken.ok && !woken.isBeingMade) {
      if (modelCall !== undefined) modelCall.woken = true;
      run.apply({ type: 'retried', ...sender });
    }
    // The server counts the attempt that a person asked for as the first one of its activity.
    const isAsked = modelCall !== undefined && (modelCall.woken || outageOf(run.state) !== undefined);
    if (!woken.ok && !isAsked) throw nothing(run);
  });
}

/** Ends the wait of the run for its model, if it waits. */
function asksAgain(run: Run, sender: Sender): boolean {
  const { state } = run;
  checkNotEnded(state);
  if (retryAt(state) === undefined) return false;
  run.apply({ type: 'retried', ...sender });
  return true;
}

function nothing({ state }: Run): HoldfastError {
  return new HoldfastError('NothingToRetry', { id: state.id });
}
