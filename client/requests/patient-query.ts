import { setTimeout as delay } from 'node:timers/promises';
import {
  type Client,
  isGrpcServiceError,
  QueryNotRegisteredError,
  type WorkflowExecutionDescription,
} from '@temporalio/client';
import { HoldfastError, messageOf } from '../../agent/errors/error';
import { defined } from '../../agent/values/defined';
import { queryBetweenTasks } from '../../runtime/temporal/query-between-tasks';
import { archivedAnswer } from './archived';
import { orHoldfastError } from './client-error';
import { noWorker } from './no-worker';
import { serverLine } from './server-line';

/** The default number of milliseconds that a query waits for a worker: enough for one that died to be back. */
export const WORKER_TIMEOUT = 60_000;
/** Milliseconds that one attempt may take. */
const DEADLINE = 12_000;
/**
 * DEADLINE_EXCEEDED, FAILED_PRECONDITION (no poller, or not started yet), RESOURCE_EXHAUSTED, UNAVAILABLE, and
 * CANCELLED, which the server reports if it notices the deadline first.
 */
const WORTH_WAITING = new Set([4, 9, 8, 14, 1]);

/** How a run is queried. */
interface QueryOptions {
  argument?: unknown;
  /** Temporal's id of one of its histories. Default: the newest. */
  runId?: string;
  /** That history has ended: the archive is asked first, and no worker has to replay it. */
  hasEnded?: boolean;
  signal?: AbortSignal;
  /** Milliseconds. */
  workerTimeout?: number | undefined;
  /** Milliseconds between two attempts. Default: 100 at first, growing to 2,000. */
  pause?: number;
  /** Called with what the server tells of the run before each attempt: an answer is at least as new. */
  onFound?(found: WorkflowExecutionDescription): void;
}

/**
 * Queries a run. Workers answer queries, so it waits for a worker that dies or restarts. For a history that the server has
 * deleted, the archive answers.
 * @throws HoldfastError `RunNotFound`, `NoWorker`; `StorageUnavailable` if only the archive could answer
 */
export async function patientQuery<Answer>(
  client: Client,
  id: string,
  name: string,
  options: QueryOptions = {},
): Promise<Answer> {
  const { runId, argument, hasEnded = false } = options;
  const kept = once(() => archivedAnswer(client, { id, runId, name, argument }));
  if (hasEnded) {
    const answer = await kept().catch(() => undefined);
    if (answer !== undefined) return answer as Answer;
  }
  try {
    return await askWorkers<Answer>(client, id, name, options);
  } catch (error) {
    if (!hasEnded && !(error instanceof HoldfastError && error.type === 'RunNotFound')) throw error;
    const answer = await kept();
    if (answer === undefined) throw error;
    return answer as Answer;
  }
}

function once<T>(act: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= act();
    return result;
  };
}

async function askWorkers<Answer>(
  client: Client,
  id: string,
  name: string,
  { argument, runId, signal, workerTimeout = WORKER_TIMEOUT, pause, onFound }: QueryOptions,
): Promise<Answer> {
  let until = Date.now() + workerTimeout;
  let isAsked = false;
  const line = serverLine(client);
  const found: QueryOptions['onFound'] = (about) => {
    line.heard();
    onFound?.(about);
  };
  const ask = () => {
    // The wait for its turn is not one for a worker.
    if (!isAsked) until = Date.now() + workerTimeout;
    isAsked = true;
    return client.withDeadline(Date.now() + Math.min(DEADLINE, workerTimeout), () =>
      queryBetweenTasks<Answer>(client, { id, runId, onFound: found }, name, argument),
    );
  };
  for (let wait = pause ?? 100; ; wait = pause ?? Math.min(wait * 2, 2000)) {
    signal?.throwIfAborted();
    try {
      return await line.call(ask, { signal });
    } catch (error) {
      if (!worthWaiting(error)) throw orHoldfastError(error, id);
      if (Date.now() > until) throw await noWorker(client, id, { since: until - workerTimeout, cause: error, runId });
      await delay(wait, undefined, defined({ signal }));
    }
  }
}

function worthWaiting(error: unknown): boolean {
  // A run that no worker has handled yet has no queries.
  if (error instanceof QueryNotRegisteredError) return true;
  const grpc = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return isGrpcServiceError(grpc) && WORTH_WAITING.has(grpc.code) && !/not found/i.test(messageOf(grpc));
}
