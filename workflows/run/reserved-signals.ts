import type { WorkflowInterceptors } from '@temporalio/workflow';

/** Names that Temporal keeps for itself; the server takes signals of them from anybody. */
const RESERVED = '__temporal_';

/**
 * Lets signals of reserved names count as unknown ones. Where a workflow has a default handler the SDK throws for them, which
 * would fail the workflow task for ever: they lose their first underscore.
 */
export function interceptors(): WorkflowInterceptors {
  return {
    internals: [
      {
        activate(input, next) {
          for (const { signalWorkflow } of input.activation.jobs ?? []) {
            if (signalWorkflow?.signalName?.startsWith(RESERVED)) {
              signalWorkflow.signalName = signalWorkflow.signalName.slice(1);
            }
          }
          next(input);
        },
      },
    ],
  };
}
