import type { Client } from '@temporalio/client';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { resolveBinary } from '../../../runtime/binaries/binaries';
import { SILENT_LOG } from '../../../runtime/log';
import { installTemporalRuntime } from '../../../runtime/temporal/log';

/** A server without a worker. Workflows on it wait until they are ended from outside, and keep their signals. */
export async function serverOfWaiting() {
  installTemporalRuntime({ log: SILENT_LOG });
  const path = await resolveBinary('temporal-test-server');
  const server = { executable: { type: 'existing-path' as const, path } };
  const temporal = await TestWorkflowEnvironment.createTimeSkipping({ server });
  const { client } = temporal;
  return {
    client: client as Client,
    start: (workflowId: string, { timeout }: { timeout?: number } = {}) =>
      client.workflow.start('support.triage', {
        workflowId,
        taskQueue: 'without-workers',
        ...(timeout === undefined ? {} : { workflowExecutionTimeout: timeout }),
      }),
    skip: (ms: number) => temporal.sleep(ms),
    /** The signals that a workflow has received: name and argument. */
    async signals(workflowId: string): Promise<[name: string, argument: unknown][]> {
      const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
      return (events ?? []).flatMap(({ workflowExecutionSignaledEventAttributes: signal }) => {
        if (!signal) return [];
        const [payload] = signal.input?.payloads ?? [];
        return [[signal.signalName ?? '', defaultPayloadConverter.fromPayload(payload as Payload)]];
      });
    },
    close: () => temporal.teardown(),
  };
}
