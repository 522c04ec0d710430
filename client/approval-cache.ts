import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type Client,
  isGrpcServiceError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { APPROVALS } from '../agent/activities';
import type { GrantsToRevoke, OwnedGrant } from '../agent/approval';
import { HoldfastError } from '../agent/error';
import { orHoldfastError } from './client-error';
import { PATIENCE, patientQuery } from './patient-query';

/** FAILED_PRECONDITION, ABORTED, UNAVAILABLE: the cache begins a new run just now, or the server was away. */
const WORTH_REPEATING = new Set([9, 10, 14]);

/** The decisions on the calls of one agent that were remembered for all its runs. */
export class ApprovalCache {
  constructor(
    private readonly client: Client,
    /** Name of the agent. */
    readonly agent: string,
    private readonly options: { patience?: number | undefined } = {},
  ) {}

  /**
   * All of them, the oldest first, at most 10,000. Nothing was ever remembered: none.
   * @throws HoldfastError `NoWorker`, `NoServer`
   */
  async list(): Promise<OwnedGrant[]> {
    const id = APPROVALS.idOf(this.agent);
    try {
      const { status } = await this.client.workflow.getHandle(id).describe();
      // One that somebody ended still answers queries, but its decisions hold no more.
      if (status.name !== 'RUNNING') return [];
      return await patientQuery<OwnedGrant[]>(this.client, id, APPROVALS.list, { patience: this.#patience });
    } catch (error) {
      const known = orHoldfastError(error, id);
      if (known instanceof HoldfastError && known.type === 'RunNotFound') return [];
      throw known;
    }
  }

  /**
   * Forgets decisions, so that a person is asked again; calls that run already are not stopped. Gives how many there were.
   * @throws HoldfastError `InvalidDecision` where `tool` is missing, `NoWorker`, `NoServer`
   */
  async revoke(which: GrantsToRevoke): Promise<number> {
    const id = APPROVALS.idOf(this.agent);
    const until = Date.now() + this.#patience;
    // One id for all tries: the server applies it once.
    const options = { updateId: randomUUID(), args: [which] as [GrantsToRevoke] };
    for (let wait = 50; ; wait = Math.min(wait * 2, 1000)) {
      try {
        const cache = this.client.workflow.getHandle(id);
        return await this.client.withDeadline(until, () =>
          cache.executeUpdate<number, [GrantsToRevoke]>(APPROVALS.revoke, options),
        );
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return 0;
        if (!worthRepeating(error) || Date.now() + wait > until) throw await this.#problem(error);
      }
      await delay(wait);
    }
  }

  get #patience(): number {
    return this.options.patience ?? PATIENCE;
  }

  async #problem(error: unknown): Promise<unknown> {
    const id = APPROVALS.idOf(this.agent);
    if (error instanceof WorkflowUpdateFailedError && error.cause instanceof ApplicationFailure) {
      const { type, message, details } = error.cause;
      return HoldfastError.revive(type ?? 'RunFailed', message, details?.[0], error);
    }
    if (!(error instanceof WorkflowUpdateRPCTimeoutOrCancelledError)) return orHoldfastError(error, id);
    try {
      const { taskQueue } = await this.client.workflow.getHandle(id).describe();
      return new HoldfastError('NoWorker', { taskQueue }, { cause: error });
    } catch (other) {
      return orHoldfastError(other, id);
    }
  }
}

function worthRepeating(error: unknown): boolean {
  const grpc = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return isGrpcServiceError(grpc) && WORTH_REPEATING.has(grpc.code);
}
