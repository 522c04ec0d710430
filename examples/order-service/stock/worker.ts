import { type NativeConnection, Worker } from '@temporalio/worker';

/** The warehouse's worker. */
export function createStockWorker(connection: NativeConnection): Promise<Worker> {
  return Worker.create({ connection, taskQueue: 'stock', workflowsPath: require.resolve('./workflow') });
}
