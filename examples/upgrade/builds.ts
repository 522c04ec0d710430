import { setTimeout as delay } from 'node:timers/promises';
import type { AgentClient } from 'holdfast/client';
import { type Config, createWorker, type HoldfastWorker, type ModelConfig } from 'holdfast/worker';
import { deskOf } from './agents';

const DEPLOYMENT = 'desk';
/** Temporal's numbers: workflows, activities. */
const KINDS = [1, 2];
/** Milliseconds: a server with time to spare needs a second. */
const QUEUE_KNOWS = 300_000;
const quiet = { debug() {}, info() {}, warn() {}, error: console.error };

/** The worker of one build. In a real deployment it is a process, or several. */
export class Build {
  private constructor(
    readonly id: string,
    private readonly worker: HoldfastWorker,
    private readonly ended: Promise<void>,
  ) {}

  static async start(id: string, config: Config, model: ModelConfig): Promise<Build> {
    const worker = await createWorker({
      agents: [deskOf(id)],
      config,
      models: { default: model },
      deployment: { name: DEPLOYMENT, buildId: id, versioning: 'pinned' },
      logger: quiet,
    });
    return new Build(id, worker, worker.run());
  }

  async stop(): Promise<void> {
    this.worker.shutdown();
    await this.ended;
  }
}

/** `temporal worker deployment set-current-version --deployment-name desk --build-id <build>` */
export async function makeCurrent({ temporal, taskQueue }: AgentClient, buildId: string): Promise<void> {
  const { workflowService, options } = temporal;
  const { namespace } = options;
  // The server knows a build when its first worker has polled.
  for (let tries = 1; ; tries++) {
    try {
      await workflowService.setWorkerDeploymentCurrentVersion({ namespace, deploymentName: DEPLOYMENT, buildId });
      break;
    } catch (error) {
      if (tries === 100) throw error;
      await delay(100);
    }
  }
  // Its task queue is told a moment later.
  const knows = async (taskQueueType: number) => {
    const about = { namespace, taskQueue: { name: taskQueue }, taskQueueType };
    const { versioningInfo } = await workflowService.describeTaskQueue(about);
    return versioningInfo?.currentDeploymentVersion?.buildId === buildId;
  };
  const until = Date.now() + QUEUE_KNOWS;
  while ((await Promise.all(KINDS.map(knows))).includes(false)) {
    if (Date.now() > until) throw new Error(`Task queue ${taskQueue} has not been told of build ${buildId}`);
    await delay(100);
  }
}

/** The build that a conversation is pinned to. */
export async function buildOf({ temporal }: AgentClient, id: string): Promise<string> {
  const { raw } = await temporal.workflow.getHandle(id).describe();
  return raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId ?? 'none';
}
