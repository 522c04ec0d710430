import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import type { RawClient, RawPayload } from '../inputs/input';

/** Milliseconds after which an unanswered request counts as refused. */
const DEADLINE = 5000;

/** Talks to the server without the SDK's converters. */
export function rawClient(client: Client): RawClient {
  const { workflowService: service, options } = client;
  const { namespace } = options;
  const to = (workflowId: string) => ({ namespace, workflowExecution: { workflowId } });
  const within = <T>(work: () => Promise<T>) => client.withDeadline(Date.now() + DEADLINE, work);
  return {
    signal: (workflowId, signalName, payloads) =>
      within(() =>
        service.signalWorkflowExecution({ ...to(workflowId), signalName, input: { payloads: payloads.map(payload) } }),
      ),
    async update(workflowId, name, payloads) {
      const { outcome } = await within(() =>
        service.updateWorkflowExecution({
          ...to(workflowId),
          // Waits until it is completed.
          waitPolicy: { lifecycleStage: 3 },
          request: {
            meta: { updateId: randomUUID() },
            input: { name, args: { payloads: payloads.map(payload) } },
          },
        }),
      );
      return outcome?.failure?.message ?? 'taken';
    },
    async query(workflowId, queryType, payloads) {
      await within(() =>
        service.queryWorkflow({
          namespace,
          execution: { workflowId },
          query: { queryType, queryArgs: { payloads: payloads.map(payload) } },
        }),
      );
      return 'answered';
    },
  };
}

function payload({ encoding, data }: RawPayload) {
  return {
    metadata: encoding === undefined ? {} : { encoding: Buffer.from(encoding) },
    ...(data === undefined ? {} : { data: Buffer.from(data) }),
  };
}
