import { AsyncLocalStorage } from 'node:async_hooks';

/** What a `fetch` tells the call of the model for which it makes a request. */
export interface Hearing {
  /** The headers of a request: keys are in them. */
  sent(headers: Headers): void;
  /** Bytes have arrived: a sign of life. */
  alive(): void;
  /** They belong to a body of JSON, which is no stream of events. */
  json(bytes: Uint8Array): void;
}

const calls = new AsyncLocalStorage<Hearing>();

const UNHEARD: Hearing = { sent: () => {}, alive: () => {}, json: () => {} };

/** Does some work; `hearing` is told of all bytes that arrive for its requests, where {@link hearingOfCall} is used. */
export function listening<T>(hearing: Hearing, work: () => T): T {
  return calls.run(hearing, work);
}

/** Whom a `fetch` tells what arrives. */
export function hearingOfCall(): Hearing {
  return calls.getStore() ?? UNHEARD;
}
