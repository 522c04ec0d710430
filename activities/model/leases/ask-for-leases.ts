import { type Client, isGrpcServiceError, WithStartWorkflowOperation } from '@temporalio/client';
import { type Workflow, WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { APPROVALS } from '../../../agent/protocol/entities/approvals';
import { LEASE_WAIT, LEASES, type LeaseGrant, type LeaseRequest } from '../../../agent/protocol/entities/leases';
import { unlessAborted } from '../../../runtime/temporal/unless-aborted';

/** Milliseconds beyond the wait in line for the way and the workflow task. */
const ON_THE_WAY = 10_000;
const UNIMPLEMENTED = 12;

/** Asks the workflow of the limits with a name, and starts it if there is none. `signal` ends the question. */
export function askForLeases(
  client: Client,
  name: string,
  request: LeaseRequest,
  signal: AbortSignal,
): Promise<LeaseGrant> {
  return unlessAborted(client, signal, () =>
    client.withDeadline(Date.now() + LEASE_WAIT + ON_THE_WAY, () => ask(client, name, request)),
  );
}

async function ask(client: Client, name: string, request: LeaseRequest): Promise<LeaseGrant> {
  const options = { workflowId: LEASES.idOf(name), taskQueue: APPROVALS.taskQueue };
  const startWorkflowOperation = new WithStartWorkflowOperation(LEASES.type, {
    ...options,
    workflowIdConflictPolicy: 'USE_EXISTING',
    staticSummary: `Limits of the model ${name}`,
  });
  // The update reports the same errors. An unhandled rejection would end the process.
  startWorkflowOperation.workflowHandle().catch(() => undefined);
  try {
    return await client.workflow.executeUpdateWithStart<Workflow, LeaseGrant, [LeaseRequest]>(LEASES.lease, {
      args: [request],
      startWorkflowOperation,
    });
  } catch (error) {
    // Servers before 1.28 and the time-skipping one need two calls.
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    if (!isGrpcServiceError(cause) || cause.code !== UNIMPLEMENTED) throw error;
    await client.workflow.start(LEASES.type, options).catch((failed: unknown) => {
      if (!(failed instanceof WorkflowExecutionAlreadyStartedError)) throw failed;
    });
    return client.workflow
      .getHandle(options.workflowId)
      .executeUpdate<LeaseGrant, [LeaseRequest]>(LEASES.lease, { args: [request] });
  }
}
