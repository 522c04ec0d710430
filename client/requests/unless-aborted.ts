import type { Client } from '@temporalio/client';

/** Makes calls to the server that end with the signal; it then throws the reason of the signal. */
export async function unlessAborted<T>(
  client: Client,
  signal: AbortSignal | undefined,
  call: () => Promise<T>,
): Promise<T> {
  if (signal === undefined) return call();
  // The client does not look at a signal that has been aborted already.
  signal.throwIfAborted();
  try {
    // A signal of its own for each call: the client leaves its listener on the one it is given.
    return await client.withAbortSignal(AbortSignal.any([signal]), call);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}

/** What a promise gives, unless its reader leaves before: it goes on, and others may still wait for it. */
export function unless<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop);
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
