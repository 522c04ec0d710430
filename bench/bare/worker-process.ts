import { NativeConnection, Worker } from '@temporalio/worker';
import { SILENT_LOG } from '../../runtime/log';
import { installTemporalRuntime } from '../../runtime/temporal/log';
import { createBareActivities } from './activities';
import { BARE_QUEUE } from './queue';

/** `worker-process.js <address> <base URL of the model> <bundle>`: a worker of the bare loop with default options. */
async function main([address = '', modelUrl = '', codePath = '']: string[]): Promise<void> {
  installTemporalRuntime({ log: SILENT_LOG });
  const connection = await NativeConnection.connect({ address });
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
