import { randomUUID } from 'node:crypto';
import {
  type Client,
  isGrpcServiceError,
  ServiceError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { Decision } from '../agent/approval';
import { HoldfastError } from '../agent/error';
import type { Decided } from '../agent/state';
import { orHoldfastError } from './client-error';
import { endedOrMissing } from './ended-or-missing';

const FAILED_PRECONDITION = 9;
/** Around a continue-as-new some updates are refused without having been applied. */
const TRIES = 10;
const PAUSE = 200;

/**
 * Sends a decision and waits until the run has taken it. The same update id is used for every try, so that it is applied
 * once however often it is sent.
 * @throws HoldfastError `ApprovalNotFound`, `ApprovalDecided`, `ApprovalExpired`, `ApprovalMismatch`, `NotADecider`,
 * `InvalidEdit`, `InvalidDecision`, `RunEnded`, `RunNotFound`
 */
export async function sendDecision(client: Client, id: string, { decision, ...payload }: Decision): Promise<Decided> {
  const updateId = randomUUID();
  for (let tries = 1; ; tries++) {
    try {
      return await client.workflow
        .getHandle(id)
        .executeUpdate<Decided, [unknown]>(decision, { updateId, args: [payload] });
    } catch (error) {
      if (tries < TRIES && isPassing(error)) {
        await new Promise((done) => setTimeout(done, PAUSE));
        continue;
      }
      throw await refusal(client, id, error);
    }
  }
}

function isPassing(error: unknown): boolean {
  const cause = error instanceof ServiceError ? error.cause : error;
  return isGrpcServiceError(cause) && cause.code === FAILED_PRECONDITION;
}

async function refusal(client: Client, id: string, error: unknown): Promise<unknown> {
  if (error instanceof WorkflowUpdateFailedError && error.cause instanceof ApplicationFailure) {
    const { type, message, details } = error.cause;
    // A run that ends while a decision is on its way has not taken it.
    if (type === 'AcceptedUpdateCompletedWorkflow') return endedOrMissing(client, id);
    // What a validator threw comes without our type, in our words.
    return HoldfastError.revive(
      type === 'HoldfastError' || !type ? 'InvalidDecision' : type,
      message,
      details?.[0],
      error,
    );
  }
  return error instanceof WorkflowNotFoundError ? endedOrMissing(client, id) : orHoldfastError(error, id);
}
