import type { WorkflowInterceptors } from '@temporalio/workflow';

/** Prefix of names that Temporal reserves. The server accepts signals with such names from every client. */
const RESERVED = '__temporal_';

/**
 * Counts signals with reserved names as unknown signals. In a workflow with a default handler the SDK throws for them,
 * which would fail the workflow task forever. Here they lose their first underscore.
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
