import type { Client } from '@temporalio/client';
import { whileLinked } from '../abort/linked-abort';

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
    // A signal of its own for each call: the client leaves its listener on the one that it is given.
    return await whileLinked([signal], (own) => client.withAbortSignal(own, call));
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}
