import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Client, isGrpcServiceError, WorkflowUpdateRPCTimeoutOrCancelledError } from '@temporalio/client';
import { HoldfastError } from '../agent/error';
import { PATIENCE, queueOf } from './patient-query';

/** FAILED_PRECONDITION, ABORTED, UNAVAILABLE: a new run of the chain begins just now, or the server was away. */
const WORTH_REPEATING = new Set([9, 10, 14]);

/** One try: all tries have one update id, so that it is applied once however often it is sent. */
export interface UpdateTry<Answer> {
  payload: unknown;
  /** Milliseconds. */
  patience?: number | undefined;
  /** Default: one that nobody else has. */
  updateId?: string | undefined;
  /** Default: the update alone. */
  send?: (options: { updateId: string; args: [unknown] }) => Promise<Answer>;
}

/**
 * Tells a workflow something and waits for its answer, during the patience of the client.
 * @throws HoldfastError `NoWorker`; whatever else goes wrong is thrown as it is
 */
export async function patientUpdate<Answer>(
  client: Client,
  id: string,
  name: string,
  { payload, patience = PATIENCE, updateId = randomUUID(), send }: UpdateTry<Answer>,
): Promise<Answer> {
  const until = Date.now() + patience;
  const options = { updateId, args: [payload] as [unknown] };
  const update = () => client.workflow.getHandle(id).executeUpdate<Answer, [unknown]>(name, options);
  for (let wait = 50; ; wait = Math.min(wait * 2, 1000)) {
    try {
      return await client.withDeadline(until, () => (send === undefined ? update() : send(options)));
    } catch (error) {
      if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) {
        throw new HoldfastError('NoWorker', { taskQueue: await queueOf(client, id) }, { cause: error });
      }
      if (!worthRepeating(error) || Date.now() + wait > until) throw error;
    }
    await delay(wait);
  }
}

function worthRepeating(error: unknown): boolean {
  const grpc = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return isGrpcServiceError(grpc) && WORTH_REPEATING.has(grpc.code);
}
