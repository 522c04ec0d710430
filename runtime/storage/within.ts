/**
 * Does something within a time. It is told by its signal when that is over, and not waited for any longer.
 * @throws the reason of the signal, a `TimeoutError` when the time is over
 */
export async function within<T>(
  ms: number,
  signal: AbortSignal | undefined,
  act: (timed: AbortSignal) => Promise<T>,
): Promise<T> {
  const time = AbortSignal.timeout(Math.max(1, ms));
  const timed = signal === undefined ? time : AbortSignal.any([signal, time]);
  timed.throwIfAborted();
  const late = new Promise<never>((_, reject) => {
    timed.addEventListener('abort', () => reject(timed.reason), { once: true });
  });
  return Promise.race([act(timed), late]);
}
