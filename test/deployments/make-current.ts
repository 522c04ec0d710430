import type { Client } from '@temporalio/client';
import { messageOf } from '../../agent/errors/error';
import { until } from '../until';

/** Temporal's numbers: workflows, activities. */
const KINDS = [1, 2];

/** A build of a deployment, and the task queue that its workers poll. */
export interface DeployedBuild {
  deploymentName: string;
  buildId: string;
  taskQueue: string;
}

/** Milliseconds: a worker registers a queue with its poll, and the poll after one that got lost comes a minute later. */
const QUEUE_KNOWS = 120_000;

/**
 * Makes a build the one on which new runs begin, and waits until its task queue knows. The queue itself is asked: a
 * server that was paused during the call (1.32) says `IN_PROGRESS` of its deployment without end, when all queues know.
 */
export async function makeCurrent({ workflowService, options }: Client, build: DeployedBuild): Promise<void> {
  const { namespace } = options;
  const { deploymentName, buildId } = build;
  let problem = '';
  const isCurrent = async () => {
    try {
      await workflowService.setWorkerDeploymentCurrentVersion({ namespace, deploymentName, buildId, identity: 'test' });
      return true;
    } catch (error) {
      // The server hears of a build when its worker polls.
      problem = messageOf(error);
      return false;
    }
  };
  await until(isCurrent, `build ${buildId} to become the current one`).catch((error: unknown) => {
    throw new Error(`${messageOf(error)}: ${problem}`);
  });
  await until(
    async () => {
      const known = await Promise.all(
        KINDS.map((taskQueueType) =>
          workflowService.describeTaskQueue({ namespace, taskQueue: { name: build.taskQueue }, taskQueueType }),
        ),
      );
      return known.every(({ versioningInfo }) => versioningInfo?.currentDeploymentVersion?.buildId === buildId);
    },
    `the task queue to know build ${buildId}`,
    QUEUE_KNOWS,
  );
}
