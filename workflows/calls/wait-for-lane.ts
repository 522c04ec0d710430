import type { BatchCall } from '../../agent/state/batch';
import type { Run } from '../run/run';
import { isHeldBack } from '../state/selectors/calls';
import { follow } from '../waits/wait';

/**
 * Waits until all earlier calls of the same lane have settled, with any outcome. `undefined` where none is open.
 * @throws CancelledFailure where the batch is cancelled first: the call then never begins
 */
export function itsTurn(run: Run, call: BatchCall): Promise<void> | undefined {
  const begins = () => !isHeldBack(run.state.batch, call);
  // A call that settles while others are open leaves a marker.
  return begins() ? undefined : follow(begins);
}
