import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { HoldfastError } from '../../agent/errors/error';
import { orHoldfastError } from './client-error';

/** Why a run took no message: the server says `not found` of runs that have ended as well. */
export async function endedOrMissing(client: Client, id: string): Promise<unknown> {
  try {
    const { status } = await client.workflow.getHandle(id).describe();
    return new HoldfastError('RunEnded', { id, status: status.name.toLowerCase().replaceAll('_', ' ') });
  } catch (error) {
    return error instanceof WorkflowNotFoundError
      ? new HoldfastError('RunNotFound', { id })
      : orHoldfastError(error, id);
  }
}
