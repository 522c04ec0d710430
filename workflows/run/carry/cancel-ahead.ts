import { CancellationScope, type WorkflowInterceptors } from '@temporalio/workflow';
import { rootScope } from './root-scope';

/** Workflows whose cancel request has reached a workflow task, by their root scope: all share the module. */
const cancelled = new WeakSet<CancellationScope>();

/**
 * Whether the current workflow task brings a cancel request, or an earlier one did. A request of this task may come after
 * the code that runs now, and a run that went on in a new history would leave it behind.
 */
export function isCancelled(): boolean {
  return cancelled.has(rootScope()) || CancellationScope.current().consideredCancelled;
}

export function interceptors(): WorkflowInterceptors {
  return {
    internals: [
      {
        activate(input, next) {
          if (input.activation.jobs?.some(({ cancelWorkflow }) => cancelWorkflow != null)) {
            cancelled.add(CancellationScope.current());
          }
          next(input);
        },
      },
    ],
  };
}
