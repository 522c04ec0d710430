import type { Client } from '@temporalio/client';
import type { Decision } from '../../agent/approvals/approval';
import type { ApprovalOutcome } from '../../agent/state/batch';
import { tell } from '../requests/tell';

/**
 * Sends a decision and waits until the run has accepted it.
 * @throws HoldfastError `ApprovalNotFound`, `ApprovalDecided`, `ApprovalExpired`, `ApprovalMismatch`, `NotADecider`,
 * `InvalidEdit`, `InvalidDecision`, `RunEnded`, `RunNotFound`, `NoWorker`
 */
export function sendDecision(
  client: Client,
  id: string,
  { decision, ...payload }: Decision,
  { workerTimeout, commandId }: { workerTimeout?: number; commandId?: string } = {},
): Promise<ApprovalOutcome> {
  return tell<ApprovalOutcome>(client, id, decision, { payload, workerTimeout, updateId: commandId });
}
