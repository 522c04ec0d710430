import { setTimeout as delay } from 'node:timers/promises';
import type { AgentClient } from 'holdfast/client';
import { type Config, createWorker, type HoldfastWorker, type ModelConfig } from 'holdfast/worker';
import { deskOf } from './agents';

const DEPLOYMENT = 'desk';
/** The server has told all task queues. */
const COMPLETED = 2;
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
export async function makeCurrent({ temporal }: AgentClient, buildId: string): Promise<void> {
  const { workflowService, options } = temporal;
  const about = { namespace: options.namespace, deploymentName: DEPLOYMENT };
  // The server knows a build when its first worker has polled.
  for (let tries = 1; ; tries++) {
    try {
      await workflowService.setWorkerDeploymentCurrentVersion({ ...about, buildId });
      break;
    } catch (error) {
      if (tries === 100) throw error;
      await delay(100);
    }
  }
  for (;;) {
    const { workerDeploymentInfo: info } = await workflowService.describeWorkerDeployment(about);
    if (info?.routingConfigUpdateState === COMPLETED) return;
    await delay(100);
  }
}

/** The build that a conversation is pinned to. */
export async function buildOf({ temporal }: AgentClient, id: string): Promise<string> {
  const { raw } = await temporal.workflow.getHandle(id).describe();
  return raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId ?? 'none';
}
