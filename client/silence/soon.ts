import type { Client } from '@temporalio/client';

/** Milliseconds after which a server that says nothing counts as away. */
const SOON = 5000;

/** Asks a server that may be away. The SDK's client alone asks ten times, for about 20 s. */
export function soon<T>(client: Client, ask: () => Promise<T>): Promise<T> {
  return client.withDeadline(Date.now() + SOON, ask);
}
