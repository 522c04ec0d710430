import type { BatchCall } from '../../agent/state/state';
import type { Run } from '../run/run';
import { isHeldBack } from '../state/selectors/calls';
import { follow } from '../waits/wait';

/**
 * Waits until the calls of its lane that come before a call have settled, however they did; `undefined` where none is open.
 * @throws CancelledFailure where the batch is cancelled first: the call then never begins
 */
export function itsTurn(run: Run, call: BatchCall): Promise<void> | undefined {
  const begins = () => !isHeldBack(run.state.batch, call);
  // A call that settles beside others leaves a marker.
  return begins() ? undefined : follow(begins);
}
