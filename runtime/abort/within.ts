import { whileLinked } from './linked-abort';
import { untilAborted } from './until-aborted';

/**
 * Does something within a time. It is told by its signal when that is over, and not waited for any longer.
 * @throws the reason of the signal, a `TimeoutError` when the time is over
 */
export function within<T>(
  ms: number,
  signal: AbortSignal | undefined,
  act: (timed: AbortSignal) => Promise<T>,
): Promise<T> {
  return whileLinked([signal, AbortSignal.timeout(Math.max(1, ms))], async (timed) => {
    timed.throwIfAborted();
    return untilAborted(act(timed), timed);
  });
}
