import type { Client } from '@temporalio/client';

/** Milliseconds in which the Temporal server has to answer: its client alone would try for 20 s. */
const SOON = 5000;

/** Calls of the Temporal server that a person waits for. Nothing that outlives the request may begin in them. */
export function soon<T>(client: Client, calls: () => Promise<T>): Promise<T> {
  return client.withDeadline(Date.now() + SOON, calls);
}
