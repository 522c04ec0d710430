import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type Client,
  isGrpcServiceError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { HoldfastError } from '../../agent/errors/error';
import { isNestedDeeper, MAX_DEPTH, MAX_PAYLOAD_DEPTH } from '../../agent/values/json-depth';
import { isFull } from './client-error';
import { notTaken } from './no-worker';
import { WORKER_TIMEOUT } from './patient-query';

/**
 * FAILED_PRECONDITION, ABORTED, UNAVAILABLE: a new run of the chain is just starting, or the server was unavailable.
 * RESOURCE_EXHAUSTED: more updates are in progress than the server lets wait.
 */
const WORTH_REPEATING = new Set([8, 9, 10, 14]);

/** An update. All attempts have the same update id, so that it is applied once. */
export interface UpdateTry<Answer> {
  payload: unknown;
  /** Milliseconds. */
  workerTimeout?: number | undefined;
  /** Default: a unique one. */
  updateId?: string | undefined;
  /** Default: sends only the update. */
  send?: (options: { updateId: string; args: [unknown] }) => Promise<Answer>;
}

/**
 * Sends an update to a workflow and waits for its answer, as long as the client waits for a worker.
 * @throws HoldfastError `NoWorker`, `NoServer`, `InvalidMessage` for one that no payload can carry. Other errors are thrown
 * unchanged.
 */
export async function patientUpdate<Answer>(
  client: Client,
  id: string,
  name: string,
  { payload, workerTimeout = WORKER_TIMEOUT, updateId = randomUUID(), send }: UpdateTry<Answer>,
): Promise<Answer> {
  if (isNestedDeeper(payload, MAX_PAYLOAD_DEPTH)) {
    throw new HoldfastError('InvalidMessage', {
      problem: `It is nested deeper than ${MAX_DEPTH} levels; send a flatter one`,
    });
  }
  const until = Date.now() + workerTimeout;
  const options = { updateId, args: [payload] as [unknown] };
  const handle = client.workflow.getHandle(id);
  const update = (): Promise<Answer> => send?.(options) ?? handle.executeUpdate<Answer, [unknown]>(name, options);
  for (let wait = 50; ; wait = Math.min(wait * 2, 1000)) {
    try {
      return await client.withDeadline(until, update);
    } catch (error) {
      if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) {
        throw await notTaken(client, id, { since: until - workerTimeout, cause: error });
      }
      if (!worthRepeating(error) || Date.now() + wait > until) throw error;
    }
    await delay(wait);
  }
}

function worthRepeating(error: unknown): boolean {
  if (isUnprocessed(error)) return true;
  const grpc = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return isGrpcServiceError(grpc) && WORTH_REPEATING.has(grpc.code) && !isFull(error);
}

/** A worker completed the task that carried the update without handling it, so the run has not received it. */
function isUnprocessed(error: unknown): boolean {
  const cause = error instanceof WorkflowUpdateFailedError ? error.cause : undefined;
  return cause instanceof ApplicationFailure && cause.type === 'UnprocessedUpdate';
}
