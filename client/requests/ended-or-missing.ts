import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { HoldfastError } from '../../agent/errors/error';
import { orHoldfastError } from './client-error';

/** Why a run accepted no message. The server says `not found` for ended runs too. */
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
