import { Context } from '@temporalio/activity';
import type { ToolRequest } from '../../agent/model/answer';
import { argumentsDoNotFit } from '../../agent/prompts/calls/refused-calls';
import type { Manifest } from '../../agent/protocol/manifest';
import type { Registry } from '../registry';
import { ownVerdict } from './own-schema';

/** The calls of one answer. */
export interface CallsToCheck {
  manifest: Pick<Manifest, 'tools'>;
  requests: readonly ToolRequest[];
  cancelled: AbortSignal;
}

/** The requests in the same order. One that a service would not accept has a problem. */
export type ServiceCallsCheck = (calls: CallsToCheck) => Promise<ToolRequest[]>;

/**
 * Checks calls of services against their contracts before anything is sent. The arguments fit the JSON Schema already; the
 * contract may require more. A tool checks that by itself when it runs.
 */
export function createServiceCallsCheck({ registry }: { registry: Registry }): ServiceCallsCheck {
  return async ({ manifest, requests, cancelled }) => {
    const { workflowType = '', workflowExecution } = Context.current().info;
    const agent = registry.find(workflowType);
    const id = workflowExecution?.workflowId ?? '';
    return Promise.all(
      requests.map(async (request) => {
        const spec = manifest.tools.find(({ modelName }) => modelName === request.name);
        if (agent === undefined || spec?.kind !== 'service' || request.problem !== undefined) return request;
        const verdict = await ownVerdict(agent, { spec, input: request.input, id }, cancelled);
        if (verdict.ok) return request;
        return {
          ...request,
          problem: { type: 'InvalidArguments' as const, message: argumentsDoNotFit(verdict.problem) },
        };
      }),
    );
  };
}
