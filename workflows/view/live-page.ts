import { CancellationScope, setCurrentDetails, type WorkflowInterceptors } from '@temporalio/workflow';

/** The query by which the Web UI asks for what it shows of a workflow. */
const METADATA = '__temporal_workflow_metadata';

/** By the root scope of each workflow: modules are shared by all workflows of a worker. */
const pages = new WeakMap<CancellationScope, () => string>();

/**
 * Shows the workflow in the Web UI as `text` gives it, Markdown: made when somebody looks, and not at each change. Call it in
 * the workflow function itself.
 */
export function showPage(text: () => string): void {
  pages.set(CancellationScope.current(), text);
}

export function interceptors(): WorkflowInterceptors {
  return {
    internals: [
      {
        activate(input, next) {
          const isLookedAt = input.activation.jobs?.some(({ queryWorkflow }) => queryWorkflow?.queryType === METADATA);
          const page = isLookedAt ? pages.get(CancellationScope.current()) : undefined;
          if (page !== undefined) setCurrentDetails(page());
          next(input);
        },
      },
    ],
  };
}
