import type { Client, WorkflowExecutionInfo, WorkflowHandle } from '@temporalio/client';
import { isAgentName } from '../../agent/define/agent-name';
import { HoldfastError } from '../../agent/errors/error';
import { APPROVALS } from '../../agent/protocol/entities/approvals';
import { ARCHIVE } from '../../agent/protocol/entities/archive';
import { LEASES } from '../../agent/protocol/entities/leases';
import { orHoldfastError } from '../../client/requests/client-error';
import { listWorkflows } from '../../client/requests/visibility';

/** Which runs' histories to read: named ones, or those that were open at some time since. */
export type Wanted = { ids: readonly string[] } | { since: Date; limit: number };

/** The history of one Temporal run. */
export interface FoundHistory {
  /** The run's id. */
  id: string;
  /** Temporal's id. */
  runId: string;
  /** The agent, or the workflow type of one of Holdfast's own workflows. */
  agent: string;
  /** It has not ended: workers will replay it. */
  isOpen: boolean;
  history: Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;
}

/** What was left out. */
export interface LeftOut {
  /** Histories that the server has deleted meanwhile, or after its retention time. */
  deleted: number;
  /** There are more runs than the limit. */
  more: boolean;
}

/** Temporal's names of the states of a run that has not ended. */
const OPEN: ReadonlySet<string> = new Set(['RUNNING', 'PAUSED']);

type Execution = Pick<WorkflowExecutionInfo, 'workflowId' | 'runId' | 'type' | 'status' | 'searchAttributes'>;

/**
 * The histories of a server's runs, one at a time: of every Temporal run of each chain, the newest first. The values
 * that are returned while it goes on are counted in `leftOut`.
 * @throws HoldfastError `RunNotFound` for a run that was named, `RunsNotListed`, `NoServer`
 */
export async function* readHistories(
  client: Client,
  wanted: Wanted,
  leftOut: LeftOut,
): AsyncGenerator<FoundHistory, void, undefined> {
  const seen = new Set<string>();
  for await (const execution of 'ids' in wanted ? named(client, wanted.ids) : listed(client, wanted, leftOut)) {
    for (let runId: string | undefined = execution.runId; runId !== undefined && !seen.has(runId); ) {
      seen.add(runId);
      const history = await fetchHistory(client, execution.workflowId, runId);
      if (history === undefined) {
        leftOut.deleted++;
        break;
      }
      const { workflowId: id, type: agent } = execution;
      const isOpen = runId === execution.runId && OPEN.has(execution.status.name);
      if (isOurs(execution, history)) yield { id, runId, agent, isOpen, history };
      runId = before(history);
    }
  }
}

async function* named(client: Client, ids: readonly string[]): AsyncGenerator<Execution, void, undefined> {
  for (const id of new Set(ids)) {
    const found = await client.workflow
      .getHandle(id)
      .describe()
      .catch((error: unknown) => {
        throw orHoldfastError(error, id);
      });
    if (!isOurType(found.type)) {
      const message = `\`${id}\` is not a run of an agent: it is the workflow \`${found.type}\``;
      throw new HoldfastError('RunNotFound', { id }, { message });
    }
    yield found;
  }
}

async function* listed(
  client: Client,
  { since, limit }: { since: Date; limit: number },
  leftOut: LeftOut,
): AsyncGenerator<Execution, void, undefined> {
  const ids = new Set<string>();
  const query = `(CloseTime IS NULL OR CloseTime >= '${since.toISOString()}')`;
  for await (const execution of listWorkflows(client, query)) {
    if (!isOurType(execution.type)) continue;
    if (ids.size === limit && !ids.has(execution.workflowId)) {
      leftOut.more = true;
      return;
    }
    ids.add(execution.workflowId);
    yield execution;
  }
}

function isOurType(type: string): boolean {
  return isAgentName(type) || type === APPROVALS.type || type === ARCHIVE.type || type === LEASES.type;
}

/** Workflows of others may have types that look like names of agents. All that an agent does begins with an activity of ours. */
function isOurs({ type, searchAttributes }: Execution, { events }: FoundHistory['history']): boolean {
  if (!isAgentName(type) || searchAttributes.HoldfastAgent?.[0] === type) return true;
  return (events ?? []).some(({ activityTaskScheduledEventAttributes: scheduled }) =>
    scheduled?.activityType?.name?.startsWith('holdfast.'),
  );
}

/** The Temporal run that this one continues. */
function before({ events }: FoundHistory['history']): string | undefined {
  return events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId || undefined;
}

async function fetchHistory(client: Client, id: string, runId: string): Promise<FoundHistory['history'] | undefined> {
  try {
    return await client.workflow.getHandle(id, runId).fetchHistory();
  } catch (thrown) {
    const error = orHoldfastError(thrown, id);
    if (error instanceof HoldfastError && error.type === 'RunNotFound') return undefined;
    throw error;
  }
}
