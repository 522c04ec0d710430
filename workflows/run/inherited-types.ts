import { type WorkflowInterceptors, workflowInfo } from '@temporalio/workflow';
import { HoldfastError } from '../../agent/errors/error';
import { failureOf } from './failures';

/**
 * Fails runs of workflow types such as `toString`, which every object has. The SDK would take the inherited method for
 * the workflow, and the run would complete without doing anything.
 */
export function interceptors(): WorkflowInterceptors {
  return {
    inbound: [
      {
        async execute(input, next) {
          const { workflowType: name } = workflowInfo();
          if (name in Object.prototype) throw failureOf(new HoldfastError('InvalidAgentName', { name }));
          return next(input);
        },
      },
    ],
  };
}
