import { AsyncLocalStorage } from 'node:async_hooks';

const calls = new AsyncLocalStorage<() => void>();

/** Does some work; `alive` is called for all bytes that {@link heardBytes} reports for its requests. */
export function listening<T>(alive: () => void, work: () => T): T {
  return calls.run(alive, work);
}

/** What a `fetch` calls for all bytes that arrive, so that the call of the model counts them as a sign of life. */
export function heardBytes(): () => void {
  return calls.getStore() ?? (() => {});
}
