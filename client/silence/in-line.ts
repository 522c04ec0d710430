import type { Client } from '@temporalio/client';
import type { Payload } from '@temporalio/common';
import { ACTIVITY } from '../../agent/protocol/activities';
import type { ModelHeartbeat } from '../../agent/protocol/calls/model-call';
import { isJsonObject } from '../../agent/values/json';
import { readPayloads } from '../../runtime/payloads/read-payloads';

/** An activity that has not ended, as Temporal describes it. */
interface PendingActivity {
  activityType?: { name?: string | null } | null;
  heartbeatDetails?: { payloads?: Payload[] | null } | null;
}

/** Why a model call is not made yet, if it waits in line for its model. */
export async function inLine(
  client: Client,
  { activityType, heartbeatDetails }: PendingActivity,
): Promise<string | undefined> {
  if (activityType?.name !== ACTIVITY.callModel) return undefined;
  // Without the codec of the workers the details cannot be read, and everything else can be shown.
  const [said] = await readPayloads(client, heartbeatDetails?.payloads).catch(() => []);
  const wait = isJsonObject(said) ? (said as ModelHeartbeat).inLine : undefined;
  if (wait === undefined) return undefined;
  const since = new Date(wait.since).toISOString().slice(11, 19);
  return `in line for \`${wait.model}\` since ${since}: its \`limits\` for all workers leave no room`;
}
