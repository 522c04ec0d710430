import type { Client } from '@temporalio/client';
import type { PendingService } from '../../agent/protocol/calls/pending-service';
import { visibleName } from '../../agent/values/visible';
import { pollers } from '../../runtime/temporal/pollers';

/** Why a service that is a workflow of the user's own does not begin: nothing polls its task queue. */
export async function unworkedService(
  client: Client,
  { ref, tool }: Pick<PendingService, 'ref' | 'tool'>,
  { namespace }: { namespace: string },
): Promise<string | undefined> {
  try {
    const { type, taskQueue, status } = await client.workflow.getHandle(ref).describe();
    if (status.name !== 'RUNNING' || (await pollers(client.connection, namespace, taskQueue)).length > 0)
      return undefined;
    const [workflow, id, queue] = [type, ref, taskQueue].map((name) => visibleName(name));
    return `The call of \`${visibleName(tool)}\` waits for the workflow \`${workflow}\` (\`${id}\`), and no worker polls its task queue \`${queue}\`. Start the worker of this workflow there, or correct \`taskQueue\` of the service.`;
  } catch {
    // It has not begun, or has just ended.
    return undefined;
  }
}
