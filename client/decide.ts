import { type Client, WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { Decision } from '../agent/approval';
import { HoldfastError } from '../agent/error';
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
  if (error instanceof WorkflowNotFoundError) return endedOrMissing(client, id);
  if (!(error instanceof WorkflowUpdateFailedError) || !(error.cause instanceof ApplicationFailure)) {
    return orHoldfastError(error, id);
  }
  const { type, message, details } = error.cause;
  // A run that ends while a decision is on its way has not taken it.
  if (type === 'AcceptedUpdateCompletedWorkflow') return endedOrMissing(client, id);
  return HoldfastError.revive(type ?? 'RunFailed', message, details?.[0], error);
}
