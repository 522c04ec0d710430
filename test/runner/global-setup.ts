import { randomUUID } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { makeBundle } from '../../workers/bundle/bundle';

/** Bundles the workflows, and those of the services that agents call in tests, once for all test files. */
export default async function globalSetup(): Promise<void> {
  // Printed commands begin with what runs this process. Those of the tests are the plain ones.
  delete process.env.npm_config_user_agent;
  // Processes that tests start inherit it: see global-teardown.ts.
  process.env.HOLDFAST_TEST_RUN = randomUUID();
  const dir = await mkdtemp(join(tmpdir(), 'holdfast-test-'));
  // Tests put their own folders there too.
  process.env.HOLDFAST_TEST_FOLDER = dir;
  const keep = async (name: string, { code }: { code: string }) => {
    const path = join(dir, name);
    await writeFile(path, code);
    return path;
  };
  process.env.HOLDFAST_WORKFLOW_BUNDLE = await keep('workflow-bundle.js', await makeBundle());
  const logger = new DefaultLogger('ERROR');
  const services = await bundleWorkflowCode({ workflowsPath: require.resolve('../fixtures/services'), logger });
  process.env.HOLDFAST_SERVICES_BUNDLE = await keep('services-bundle.js', services);
}
