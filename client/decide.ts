import { type Client, WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { Decision } from '../agent/approval';
import type { Decided } from '../agent/state';
import { orHoldfastError } from './client-error';
import { endedOrMissing } from './ended-or-missing';
import { patientUpdate } from './patient-update';

/**
 * Sends a decision and waits until the run has taken it.
 * @throws HoldfastError `ApprovalNotFound`, `ApprovalDecided`, `ApprovalExpired`, `ApprovalMismatch`, `NotADecider`,
 * `InvalidEdit`, `InvalidDecision`, `RunEnded`, `RunNotFound`, `NoWorker`
 */
export async function sendDecision(
  client: Client,
  id: string,
  { decision, ...payload }: Decision,
  patience?: number,
): Promise<Decided> {
  try {
    return await patientUpdate<Decided>(client, id, decision, { payload, patience });
  } catch (error) {
    throw await refusal(client, id, error);
  }
}

async function refusal(client: Client, id: string, error: unknown): Promise<unknown> {
  const ended = error instanceof WorkflowNotFoundError || isCutOff(error);
  return ended ? endedOrMissing(client, id) : orHoldfastError(error, id);
}

/** A run that ends while a decision is on its way has not taken it. */
function isCutOff(error: unknown): boolean {
  const cause = error instanceof WorkflowUpdateFailedError ? error.cause : undefined;
  return cause instanceof ApplicationFailure && cause.type === 'AcceptedUpdateCompletedWorkflow';
}
