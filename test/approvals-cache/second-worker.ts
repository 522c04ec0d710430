import type { Agent } from 'holdfast';
import type { AgentTestEnvironment } from 'holdfast/testing';
import { createWorker } from 'holdfast/worker';
import { loadConfig } from '../../runtime/config/config';

/** A worker of the same namespace on another task queue, with the scripted model of the environment. */
export async function openWorker(kit: AgentTestEnvironment, taskQueue: string, agents: readonly Agent[]) {
  const config = await loadConfig({ cwd: '/', env: {} });
  const worker = await createWorker({
    agents,
    config: {
      ...config,
      temporal: { ...config.temporal, namespace: kit.client.temporal.options.namespace },
      worker: { ...config.worker, shutdownGrace: 100 },
    },
    connection: kit.temporal.nativeConnection,
    taskQueue,
    models: { default: { baseUrl: kit.model.url, model: 'scripted', apiKey: 'none' } },
    bus: kit.bus,
  });
  const ended = worker.run();
  return {
    async close(): Promise<void> {
      worker.shutdown();
      await ended;
    },
  };
}
