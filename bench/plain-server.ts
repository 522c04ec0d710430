import { TestWorkflowEnvironment } from '@temporalio/testing';
import { resolveBinary } from '../runtime/binaries';
import { DEV_SERVER_ARGS } from '../workers/dev-server-args';
import { registerSearchAttributes } from '../workers/search-attributes';

const PUSH = /WorkerCommandsEnabled|CancelActivityWorkerCommand/;

/** A dev server as other people start it: a cancel is not pushed to workers, they hear of it when they send a heartbeat. */
export async function startPlainServer(): Promise<{ address: string; stop(): Promise<void> }> {
  const path = await resolveBinary('temporal');
  const values = DEV_SERVER_ARGS.filter((arg) => !arg.startsWith('--') && !PUSH.test(arg));
  const extraArgs = values.flatMap((value) => ['--dynamic-config-value', value]);
  const env = await TestWorkflowEnvironment.createLocal({
    server: { executable: { type: 'existing-path', path }, extraArgs },
  });
  await registerSearchAttributes(env.connection, 'default');
  return { address: env.address, stop: () => env.teardown() };
}
