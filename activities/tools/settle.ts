import { CancelledFailure } from '@temporalio/activity';
import { linkedAbort } from '../../runtime/abort/linked-abort';
import { GRACE, shutsDown, workerShutdown } from '../heartbeat';

/** Milliseconds, 24.8 days: the longest timer of Node. */
const MAX_TIMER = 2 ** 31 - 1;

export type Settled<T> = { type: 'value'; value: T } | { type: 'thrown'; error: unknown } | { type: 'timeout' };

/**
 * Waits for a tool, but not forever: after `timeout`, or when the activity is cancelled, its signal aborts and it has a
 * moment to end. If the tool succeeds in that moment, its result counts. A cancel is rethrown; a shutdown of the worker
 * sends the call to another worker.
 */
export async function settle<T>(
  work: (signal: AbortSignal) => Promise<T> | T,
  { cancelled, timeout, grace: ms = GRACE }: { cancelled: AbortSignal; timeout: number; grace?: number },
): Promise<Settled<T>> {
  if (cancelled.aborted) throw shutsDown() ? workerShutdown() : new CancelledFailure('The tool was not started.');
  const { signal, abort, unlink } = linkedAbort(cancelled);
  let isLate = false;
  // A longer timer would fire at once; beyond it the server's own limit ends the attempt.
  const limit = Math.min(timeout, MAX_TIMER);
  const timer = setTimeout(() => {
    isLate = !signal.aborted;
    abort(new Error(`Timed out after ${timeout} ms`));
  }, limit);
  let grace: NodeJS.Timeout | undefined;
  const gaveUp = new Promise<Settled<T>>((resolve) => {
    const start = () => {
      grace = setTimeout(() => resolve({ type: 'timeout' }), ms);
    };
    signal.addEventListener('abort', start, { once: true });
  });
  try {
    const settled = await Promise.race([attempt(work, signal), gaveUp]);
    if (settled.type === 'value' || !signal.aborted) return settled;
    if (isLate) return { type: 'timeout' };
    if (shutsDown()) throw workerShutdown();
    throw new CancelledFailure('The tool was cancelled.', ['started']);
  } finally {
    clearTimeout(timer);
    clearTimeout(grace);
    unlink();
  }
}

async function attempt<T>(work: (signal: AbortSignal) => Promise<T> | T, signal: AbortSignal): Promise<Settled<T>> {
  try {
    return { type: 'value', value: await work(signal) };
  } catch (error) {
    return { type: 'thrown', error };
  }
}
