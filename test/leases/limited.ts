import type { Agent } from 'holdfast';
import { type AgentTestEnvironment, type Answer, type ModelServer, serveModel } from 'holdfast/testing';
import { createWorker } from 'holdfast/worker';
import type { ModelLimits } from '../../agent/leases/model-limits';
import { loadConfig } from '../../runtime/config/config';

/** A request at the model. Times are milliseconds since 1970. */
interface Call {
  begun: number;
  ended: number;
  interactive: boolean;
}

/** Workers that share a model with limits. Messages that begin with `person` are those of people who wait. */
export interface Limited {
  model: ModelServer;
  calls: Call[];
  close(): Promise<void>;
}

/** Replaces the worker of `kit` by others whose model has limits. Each has a gate of its own, as in another process. */
export async function withLimits(
  kit: AgentTestEnvironment,
  {
    agents,
    limits,
    workers = 2,
    answer,
  }: { agents: readonly Agent[]; limits: ModelLimits; workers?: number; answer: Answer },
): Promise<Limited> {
  await kit.stopWorker();
  const calls: Call[] = [];
  const model = await serveModel(async (request, info) => {
    const interactive = String(request.messages.find(({ role }) => role === 'user')?.content).startsWith('person');
    const call = { begun: Date.now(), ended: Infinity, interactive };
    calls.push(call);
    const reply = await answer(request, info);
    call.ended = Date.now();
    return reply;
  });
  const config = await loadConfig({ cwd: '/', env: {} });
  const address = kit.temporal.connection.options.address;
  const temporal = { ...config.temporal, address, taskQueue: kit.taskQueue };
  const started = await Promise.all(
    Array.from({ length: workers }, () =>
      createWorker({
        agents,
        // Each opens a connection: one connection has one worker for a task queue.
        config: { ...config, temporal, worker: { ...config.worker, shutdownGrace: 100 } },
        models: { default: { baseUrl: model.url, model: 'm', limits } },
        bus: kit.bus,
      }),
    ),
  );
  const ended = started.map((worker) => worker.run());
  return {
    model,
    calls,
    async close() {
      for (const worker of started) worker.shutdown();
      await Promise.all(ended);
      await model.close();
    },
  };
}

/** The most calls that began in any window of so many milliseconds. */
export function mostIn(calls: readonly Call[], window: number): number {
  return Math.max(
    ...calls.map(({ begun }) => calls.filter((one) => one.begun >= begun && one.begun < begun + window).length),
  );
}

/** The most calls that were in progress at the same time. */
export function mostAtOnce(calls: readonly Call[]): number {
  return Math.max(...calls.map(({ begun }) => calls.filter((one) => one.begun <= begun && one.ended > begun).length));
}
