import type { Client } from '@temporalio/client';
import { isJsonObject } from '../../agent/values/json';

/** The query for what the page of a workflow in the Web UI shows, which the SDK answers. */
const METADATA = '__temporal_workflow_metadata';

/** What a workflow that is not the run of an agent says of itself, such as the one of the limits of a model. */
export async function detailsOf(
  client: Client,
  { id, agent: type }: { id: string; agent: string },
  workerTimeout: number,
): Promise<string> {
  const told = await client.withDeadline(Date.now() + workerTimeout, () =>
    client.workflow.getHandle(id).query<unknown>(METADATA),
  );
  const details = isJsonObject(told) ? told.currentDetails : undefined;
  if (typeof details === 'string' && details !== '') return details;
  return `This is a workflow of the type ${type}, not the run of an agent.`;
}
