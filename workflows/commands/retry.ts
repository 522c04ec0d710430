import { HoldfastError } from '../../agent/errors/error';
import { ACTIVITY, type WakeCallResult } from '../../agent/protocol/activities';
import type { Run } from '../run/run';
import { decidesSince } from '../state/selectors/decides-since';
import { retryAt } from '../state/selectors/phase';
import { checkSender } from './checks/check-message';
import { byOf, ended } from './conversation';
import { Parked } from './settle-command';

/** Asks a model that does not answer again at once: one that the run waits for, or whose call waits for its next attempt. */
export function retry(run: Run, given: unknown): undefined | Parked<WakeCallResult> {
  const sender = checkSender(given);
  if (asksAgain(run, sender)) return undefined;
  if (!run.thinking || !decidesSince(run.state, 2)) throw nothing(run);
  const check = { activity: ACTIVITY.wakeCall, input: {}, summary: 'make the next attempt of the model call at once' };
  return new Parked(check, (woken) => {
    // Meanwhile the run may have begun to wait.
    if (asksAgain(run, sender)) return;
    if (!woken.ok) throw nothing(run);
    run.apply({ type: 'retried', ...byOf(sender) });
  });
}

/** Ends the wait of the run for its model, if it waits. */
function asksAgain(run: Run, sender: { by?: string }): boolean {
  const { state } = run;
  if (state.phase.at === 'ended') throw ended(state);
  if (retryAt(state) === undefined) return false;
  run.apply({ type: 'retried', ...byOf(sender) });
  return true;
}

function nothing({ state }: Run): HoldfastError {
  return new HoldfastError('NothingToRetry', { id: state.id });
}
