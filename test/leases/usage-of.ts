import { isGrpcServiceError, QueryNotRegisteredError, type WorkflowClient } from '@temporalio/client';
import { LEASES, type LeaseUsage } from '../../agent/protocol/entities/leases';

/** Of gRPC: no worker had time for the query. */
const DEADLINE_EXCEEDED = 4;

/**
 * What is in use of the limits of a model. A query that comes between two tasks of the workflow is refused, and one for which a
 * busy machine has no time ends: both are asked again.
 */
export async function usageOf(workflow: WorkflowClient, alias: string): Promise<LeaseUsage> {
  for (;;) {
    try {
      return await workflow.getHandle(LEASES.idOf(alias)).query<LeaseUsage>(LEASES.usage);
    } catch (error) {
      if (!isPassing(error)) throw error;
    }
  }
}

function isPassing(error: unknown): boolean {
  if (error instanceof QueryNotRegisteredError) return true;
  const { cause } = error instanceof Error ? error : { cause: undefined };
  return isGrpcServiceError(cause) && cause.code === DEADLINE_EXCEEDED;
}
