import { Worker } from '@temporalio/worker';
import { SILENT_LOG } from '../../runtime/log';
import { connectNative } from '../../runtime/temporal/native-connection';
import { createBareActivities } from './activities';
import { BARE_QUEUE } from './queue';

/** `worker-process.js <address> <base URL of the model> <bundle>`: a worker of the bare loop with default options but for its connection. */
async function main([address = '', modelUrl = '', codePath = '']: string[]): Promise<void> {
  // As ours is connected: without gzip, which is the SDK's default.
  const connection = await connectNative({ temporal: { address, namespace: 'default', taskQueue: '' } }, SILENT_LOG);
  const worker = await Worker.create({
    connection,
    taskQueue: BARE_QUEUE,
    workflowBundle: { codePath },
    activities: createBareActivities(modelUrl),
  });
  process.send?.({ type: 'ready' });
  await worker.run();
  await connection.close();
  process.exit(0);
}

void main(process.argv.slice(2));
