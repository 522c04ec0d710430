import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { defined } from '../../agent/values/defined';
import { unlessAborted } from '../../runtime/temporal/unless-aborted';
import { isPassing } from './client-error';
import { WORKER_TIMEOUT } from './patient-query';

/** Milliseconds between two looks for a server that is away. */
const PAUSE = 1000;
/** Milliseconds that a look may take. */
const LOOK = 5000;

interface Waiting {
  signal?: AbortSignal | undefined;
  /** Milliseconds that the server may be away. */
  workerTimeout?: number | undefined;
}

/**
 * A wait that may take weeks, begun again whenever the server was away for less than `workerTimeout`. The SDK's client repeats
 * a request ten times, in about ten seconds.
 */
export async function throughOutages<T>(client: Client, wait: () => Promise<T>, options: Waiting): Promise<T> {
  for (;;) {
    try {
      return await unlessAborted(client, options.signal, wait);
    } catch (error) {
      if (options.signal?.aborted || !isPassing(error)) throw error;
      await serverBack(client, options);
    }
  }
}

/** @throws what the server failed with at last, if it stays away */
async function serverBack(client: Client, { signal, workerTimeout = WORKER_TIMEOUT }: Waiting): Promise<void> {
  const until = Date.now() + workerTimeout;
  const look = () => client.withDeadline(Date.now() + LOOK, () => client.workflowService.getSystemInfo({}));
  for (;;) {
    try {
      await unlessAborted(client, signal, () => delay(PAUSE, undefined, defined({ signal })));
      await unlessAborted(client, signal, look);
      return;
    } catch (error) {
      if (signal?.aborted || !isPassing(error) || Date.now() > until) throw error;
    }
  }
}
