/** Aborts with another signal, for the same reason, or by itself. */
export interface LinkedAbort {
  readonly controller: AbortController;
  /** The other signal is no longer followed. */
  unlink(): void;
}

/**
 * Does what `AbortSignal.any` does for one signal and a controller. On Node 20 a signal of `any` that only its listeners
 * reference may be collected and never fire, and it costs several times as much.
 */
export function linkedAbort(signal: AbortSignal | null | undefined): LinkedAbort {
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted) abort();
  return { controller, unlink: () => signal?.removeEventListener('abort', abort) };
}
