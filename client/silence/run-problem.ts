import type { Client } from '@temporalio/client';
import { defined } from '../../agent/values/defined';
import { soon } from '../requests/soon';
import { diagnose } from './diagnose';

/**
 * Why nothing happens in a run that goes on, if it is known.
 * @param heartbeatInterval milliseconds between heartbeats of the workers. Default 1,000
 */
export async function problemOf(client: Client, id: string, heartbeatInterval?: number): Promise<string | undefined> {
  const { status, taskQueue } = await soon(client, () => client.workflow.getHandle(id).describe());
  if (status.name !== 'RUNNING') return undefined;
  const { namespace } = client.options;
  return diagnose(client, id, { namespace, taskQueue, ...defined({ heartbeatInterval }) });
}
