import { Worker, type WorkerOptions } from '@temporalio/worker';
import type { AgentTestEnvironment } from 'holdfast/testing';

/** The workflows of `fixtures/services`, bundled by the set-up of all tests. */
const bundle = () => {
  const codePath = process.env.HOLDFAST_SERVICES_BUNDLE;
  if (codePath === undefined) throw new Error('The set-up of the tests has made no bundle of services');
  return { codePath };
};

export interface PlainWorker {
  stop(): Promise<void>;
}

/** A worker without any knowledge of agents: it runs plain Temporal workflows on its own task queue. */
export async function startPlainWorker(
  { temporal }: Pick<AgentTestEnvironment, 'temporal'>,
  taskQueue: string,
  more: Pick<WorkerOptions, 'dataConverter' | 'activities'> = {},
): Promise<PlainWorker> {
  const worker = await Worker.create({
    debugMode: Boolean(process.env.HOLDFAST_KIT_DEBUG_MODE),
    connection: temporal.nativeConnection,
    namespace: temporal.client.options.namespace,
    taskQueue,
    workflowBundle: bundle(),
    ...more,
  });
  const ended = worker.run();
  return {
    async stop() {
      worker.shutdown();
      await ended;
    },
  };
}
