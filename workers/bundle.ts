import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { bundleWorkflowCode, type WorkflowBundleOption } from '@temporalio/worker';

/** Where the bundle lies beside the compiled package. */
export const BUNDLE_PATH = join(__dirname, '..', 'workflow-bundle.js');

let made: Promise<WorkflowBundleOption> | undefined;

/**
 * The workflows of this package, one bundle without any code of users: it is built with the package. From TypeScript
 * sources, as in the tests, it is made once a process, or taken from HOLDFAST_WORKFLOW_BUNDLE.
 */
export function workflowBundle(): Promise<WorkflowBundleOption> {
  made ??= findBundle();
  return made;
}

async function findBundle(): Promise<WorkflowBundleOption> {
  if (__filename.endsWith('.js') && existsSync(BUNDLE_PATH)) return { codePath: BUNDLE_PATH };
  const prepared = process.env.HOLDFAST_WORKFLOW_BUNDLE;
  if (prepared !== undefined && existsSync(prepared)) return { codePath: prepared };
  return makeBundle();
}

/** Bundles the workflows of this package, from sources or from the compiled package. */
export async function makeBundle(): Promise<{ code: string }> {
  return bundleWorkflowCode({
    workflowsPath: require.resolve('../workflows'),
    workflowInterceptorModules: [require.resolve('../workflows/look-ahead')],
    logger: quiet(),
  });
}

/** Webpack's progress is of no interest, its errors arrive as exceptions. */
function quiet() {
  const silent = () => undefined;
  return { log: silent, trace: silent, debug: silent, info: silent, warn: silent, error: silent };
}
