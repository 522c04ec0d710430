import { setMaxListeners } from 'node:events';

/** Aborts with any of several signals, for the reason of that one, or by itself. */
export interface LinkedAbort {
  readonly signal: AbortSignal;
  /** Aborts, and follows the other signals no longer. */
  abort(reason?: unknown): void;
  /** Follows the other signals no longer: nothing is left at them. */
  unlink(): void;
}

/**
 * Follows signals until `abort` or `unlink` is called, as `AbortSignal.any` would, which fails on Node 20: a time-out
 * that only such a signal follows is collected and never fires. On every version of Node, such a signal with a listener
 * that is not removed is never collected, and Temporal's client leaves one for each request.
 */
export function linkedAbort(...signals: readonly (AbortSignal | null | undefined)[]): LinkedAbort {
  const controller = new AbortController();
  const unlink = () => {
    for (const signal of signals) signal?.removeEventListener('abort', follow);
  };
  const abort = (reason?: unknown) => {
    unlink();
    controller.abort(reason);
  };
  const follow = ({ target }: Event) => abort((target as AbortSignal).reason);
  const aborted = signals.find((signal) => signal?.aborted);
  if (aborted) controller.abort(aborted.reason);
  else for (const signal of signals) signal?.addEventListener('abort', follow);
  // Node 20 warns at the eleventh listener, for which a gateway or a reader of many runs has good reason, and so has a request
  // of Temporal's client that a busy server refuses again and again: each attempt adds one.
  for (const signal of [...signals, controller.signal]) if (signal instanceof AbortSignal) setMaxListeners(0, signal);
  return { signal: controller.signal, abort, unlink };
}

/** Does something with a signal that aborts with any of several, while it lasts. */
export async function whileLinked<T>(
  signals: readonly (AbortSignal | undefined)[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { signal, unlink } = linkedAbort(...signals);
  try {
    return await work(signal);
  } finally {
    unlink();
  }
}
