import { CancellationScope, type WorkflowInterceptors } from '@temporalio/workflow';
import { rootScope } from './root-scope';

/** `CONTINUE_AS_NEW_INITIATOR_WORKFLOW`: not a schedule or a retry policy, which repeat the input of the run before. */
const BY_ITSELF = 1;

/** Histories that the run before has begun by itself, by their root scope: all workflows of a worker share the module. */
const continued = new WeakSet<CancellationScope>();
/** Why a history cannot go on here. */
const unread = new WeakMap<CancellationScope, Error>();

/** Whether the run before has begun this history: its argument is not something that a client may have sent. */
export function isContinued(): boolean {
  return continued.has(CancellationScope.current());
}

/**
 * Fails the workflow task, as often as it is repeated, until a worker takes it that can go on with the run, such as one that
 * can read what the run before passed on. If the run failed instead, all that it has done would be lost.
 */
export function leaveToOthers(error: Error): void {
  unread.set(rootScope(), error);
}

export function interceptors(): WorkflowInterceptors {
  return {
    internals: [
      {
        activate(input, next) {
          const scope = CancellationScope.current();
          const begins = input.activation.jobs?.find(({ initializeWorkflow }) => initializeWorkflow != null);
          if (begins?.initializeWorkflow?.continuedInitiator === BY_ITSELF) continued.add(scope);
          next(input);
        },
        // What follows the result of an activity runs after `activate`.
        concludeActivation(input, next) {
          const error = unread.get(CancellationScope.current());
          if (error !== undefined) throw error;
          return next(input);
        },
      },
    ],
  };
}
