import type { Client } from '@temporalio/client';
import { decodeArrayFromPayloads } from '@temporalio/common/lib/internal-non-workflow';
import { HoldfastError } from '../../agent/errors/error';
import type { RunInput } from '../../agent/protocol/run';
import { canonicalJson, isJsonObject, type Json } from '../../agent/values/json';
import { orHoldfastError } from '../requests/client-error';

/**
 * Whether a start with a used id means the very run that has it: the same agent and the same input, as the start event
 * of the first run of the chain tells.
 * @throws HoldfastError `IdInUse`
 */
export async function checkAttach(
  client: Client,
  { id, agent, input }: { id: string; agent: string; input: RunInput },
): Promise<void> {
  const started = await startOf(client, id).catch((error: unknown) => {
    throw orHoldfastError(error, id);
  });
  const inUse = (problem: string) => new HoldfastError('IdInUse', { id, problem });
  if (started.agent !== agent) throw inUse(`a run of \`${started.agent}\` has it`);
  if (canonicalJson(whatFor(started.input)) !== canonicalJson(whatFor(input))) {
    throw inUse(`a run of \`${agent}\` with another input has it`);
  }
}

/** What makes a start the same: the input, or the event. One that is sent again may have another time. */
function whatFor(started: unknown): Json {
  if (!isJsonObject(started)) return null;
  const { input = null, event } = started;
  // A plain client may have started the run by the event as it is.
  const { source, id, data = null } = isJsonObject(event) ? event : started;
  return typeof source === 'string' && typeof id === 'string' ? [source, id, data] : [input];
}

async function startOf(client: Client, workflowId: string): Promise<{ agent: string; input: unknown }> {
  const { raw, runId } = await client.workflow.getHandle(workflowId).describe();
  const firstRunId = raw.workflowExecutionInfo?.firstRunId || runId;
  const { history } = await client.workflowService.getWorkflowExecutionHistory({
    namespace: client.options.namespace,
    execution: { workflowId, runId: firstRunId },
    maximumPageSize: 1,
  });
  const start = history?.events?.[0]?.workflowExecutionStartedEventAttributes;
  const [input] = await decodeArrayFromPayloads(client.options.loadedDataConverter, start?.input?.payloads);
  return { agent: start?.workflowType?.name ?? '', input };
}
