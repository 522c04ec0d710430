import { linkedAbort } from './linked-abort';
import { untilAborted } from './until-aborted';

/**
 * Does something within a time. It is told by its signal when that is over, and not waited for any longer.
 * @throws the reason of the signal, a `TimeoutError` that names the time when it is over
 */
export async function within<T>(
  ms: number,
  signal: AbortSignal | undefined,
  act: (timed: AbortSignal) => Promise<T>,
): Promise<T> {
  const { signal: timed, abort, unlink } = linkedAbort(signal);
  // Of a time that others share, nothing may be left.
  const time = Math.max(1, ms);
  const late = () => abort(new DOMException(`no answer in ${time} ms`, 'TimeoutError'));
  const timer = setTimeout(late, time).unref();
  try {
    timed.throwIfAborted();
    return await untilAborted(act(timed), timed);
  } finally {
    clearTimeout(timer);
    unlink();
  }
}
