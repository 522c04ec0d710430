import type { WorkerOptions } from '@temporalio/worker';
import type { Deployment } from '../../runtime/config/config';

const BEHAVIOR = { 'auto-upgrade': 'AUTO_UPGRADE', pinned: 'PINNED' } as const;

/** A deployment in the form of Temporal's options. */
export function deploymentOptions(
  deployment: Deployment | undefined,
): NonNullable<WorkerOptions['workerDeploymentOptions']> | undefined {
  if (deployment === undefined) return undefined;
  const { name: deploymentName, buildId, versioning = 'auto-upgrade' } = deployment;
  return {
    version: { deploymentName, buildId },
    useWorkerVersioning: true,
    defaultVersioningBehavior: BEHAVIOR[versioning],
  };
}

/** What an operator has to do after a deploy: a version gets new runs only once it is current. */
export const ONCE_CURRENT =
  'New runs begin on this version once it is the current one: `temporal worker deployment set-current-version --deployment-name <name> --build-id <buildId>`.';
