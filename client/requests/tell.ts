import { type Client, WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { hurryFeed } from '../feed/feeds';
import { orHoldfastError } from './client-error';
import { endedOrMissing } from './ended-or-missing';
import { patientUpdate, type UpdateTry } from './patient-update';

/**
 * Sends a command to a run and waits until the run has accepted it. Commands with the same `updateId` are accepted
 * once.
 * @throws HoldfastError the reason of a refusal, `RunEnded`, `RunNotFound`, `NoWorker`
 */
export async function tell<Answer>(
  client: Client,
  id: string,
  name: string,
  how: Omit<UpdateTry<Answer>, 'send'>,
): Promise<Answer> {
  try {
    const answer = await patientUpdate<Answer>(client, id, name, how);
    hurryFeed(client, id);
    return answer;
  } catch (error) {
    throw await refusal(client, id, error);
  }
}

/** Why a run did not accept a command, as a HoldfastError. */
export async function refusal(client: Client, id: string, error: unknown): Promise<unknown> {
  const ended = error instanceof WorkflowNotFoundError || isCutOff(error);
  return ended ? endedOrMissing(client, id) : orHoldfastError(error, id);
}

/** A run that ends while a message is on its way has not accepted it. */
function isCutOff(error: unknown): boolean {
  const cause = error instanceof WorkflowUpdateFailedError ? error.cause : undefined;
  return cause instanceof ApplicationFailure && cause.type === 'AcceptedUpdateCompletedWorkflow';
}
