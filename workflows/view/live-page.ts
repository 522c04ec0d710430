import { CancellationScope, setCurrentDetails, type WorkflowInterceptors } from '@temporalio/workflow';

/** The query with which the Web UI reads what it shows about a workflow. */
const METADATA = '__temporal_workflow_metadata';

/** Keyed by the root scope of each workflow: all workflows of a worker share the module. */
const pages = new WeakMap<CancellationScope, () => string>();

/**
 * Shows the Markdown of `text` in the Web UI as the page of the workflow. The text is made when a user opens the page,
 * not at each change. Call it in the workflow function itself.
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
