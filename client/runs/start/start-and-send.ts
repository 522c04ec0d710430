import { type Client, isGrpcServiceError, WithStartWorkflowOperation } from '@temporalio/client';
import { type Workflow, WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import type { MessageReceipt, SentMessage } from '../../../agent/conversation/messages';
import { COMMAND } from '../../../agent/protocol/commands/command';
import { endedOrMissing } from '../../requests/ended-or-missing';
import { patientUpdate } from '../../requests/patient-update';
import { refusal, tell } from '../../requests/tell';
import { type Start, startOptions, startRun } from './start-run';

const UNIMPLEMENTED = 12;

/**
 * Sends a message to a conversation, and starts it if there is none, in one call to the server.
 * @throws HoldfastError `RunEnded`, the reason of a refusal, `NoServer`, `NoWorker`
 */
export async function startAndSend(
  client: Client,
  start: Start,
  said: SentMessage,
  workerTimeout?: number,
): Promise<MessageReceipt> {
  try {
    return await patientUpdate<MessageReceipt>(client, start.id, COMMAND.send, {
      payload: said,
      workerTimeout,
      updateId: said.id,
      send: (options) => {
        const startWorkflowOperation = new WithStartWorkflowOperation(start.agent, {
          ...startOptions(start),
          workflowIdConflictPolicy: 'USE_EXISTING',
        });
        // The update reports the same errors. An unhandled rejection would end the process.
        startWorkflowOperation.workflowHandle().catch(() => undefined);
        return client.workflow.executeUpdateWithStart<Workflow, MessageReceipt, [unknown]>(COMMAND.send, {
          ...options,
          startWorkflowOperation,
        });
      },
    });
  } catch (error) {
    // Servers before 1.28 and the time-skipping one need two calls.
    if (isUnimplemented(error)) {
      await startRun(client, start);
      return tell<MessageReceipt>(client, start.id, COMMAND.send, { payload: said, workerTimeout, updateId: said.id });
    }
    if (error instanceof WorkflowExecutionAlreadyStartedError) throw await endedOrMissing(client, start.id);
    throw await refusal(client, start.id, error);
  }
}

function isUnimplemented(error: unknown): boolean {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return isGrpcServiceError(cause) && cause.code === UNIMPLEMENTED;
}
