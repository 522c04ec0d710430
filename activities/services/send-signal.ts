import { Context } from '@temporalio/activity';
import { isGrpcServiceError, WorkflowNotFoundError } from '@temporalio/client';
import type { SignalOutlet } from '../../agent/define/outlet';
import { messageOf } from '../../agent/errors/error';
import { COMMAND } from '../../agent/protocol/commands/command';
import type { ServiceEvent } from '../../agent/protocol/event';
import { unlessAborted } from '../../runtime/temporal/unless-aborted';
import { thrownProblem } from '../failures/thrown-problem';
import { NotSent } from './not-sent';

/** Milliseconds for the server to accept a signal. */
const DEADLINE = 15_000;
/** gRPC's status code for a request that will never be accepted. */
const INVALID_ARGUMENT = 3;

/**
 * Sends an event as a signal to another workflow.
 * @throws NotSent
 */
export async function sendSignal(outlet: SignalOutlet, event: ServiceEvent, signal: AbortSignal): Promise<void> {
  const id = idOf(outlet, event);
  const { client } = Context.current();
  const handle = client.workflow.getHandle(id);
  try {
    await unlessAborted(client, signal, () =>
      client.withDeadline(Date.now() + DEADLINE, () => handle.signal(outlet.signal ?? COMMAND.serviceAnswer, event)),
    );
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) {
      throw new NotSent(`there is no running workflow \`${id}\``, { retry: false });
    }
    const grpc = error instanceof Error && isGrpcServiceError(error.cause) ? error.cause : undefined;
    const problem = `the signal to \`${id}\` was not taken: ${grpc?.details ?? messageOf(error)}`;
    throw new NotSent(problem, { retry: grpc?.code !== INVALID_ARGUMENT });
  }
}

function idOf({ workflowId }: SignalOutlet, event: ServiceEvent): string {
  if (typeof workflowId === 'string') return workflowId;
  let id: unknown;
  try {
    id = workflowId(event);
  } catch (error) {
    throw new NotSent(`its \`workflowId\` threw: ${thrownProblem(error)}`, { retry: false });
  }
  if (typeof id !== 'string' || id === '') throw new NotSent('its `workflowId` gave no text', { retry: false });
  return id;
}
