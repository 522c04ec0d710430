import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { HoldfastError } from '../../agent/errors/error';
import type { RunInput, RunResult } from '../../agent/protocol/run';
import { orHoldfastError } from '../requests/client-error';
import { checkAttach } from './attach';
import { MEMO } from './sessions';

/** A run that is to be. */
export interface Start {
  agent: string;
  id: string;
  taskQueue: string;
  input: RunInput;
}

/**
 * Starts a run, or finds that the very same one is there already.
 * @throws HoldfastError `IdInUse`, `NoServer`
 */
export async function startRun(client: Client, start: Start): Promise<void> {
  const { agent, id, input } = start;
  const options = startOptions(start);
  try {
    await client.workflow.start<(input: RunInput) => Promise<RunResult>>(agent, options);
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw orHoldfastError(error, id);
    await checkAttach(client, { id, agent, input });
  }
}

/** How Temporal is told; an id is never used again. */
export function startOptions({ agent, id, taskQueue, input }: Start) {
  if (id.startsWith('holdfast.')) {
    throw new HoldfastError('IdInUse', { id, problem: 'ids that begin with `holdfast.` are taken' });
  }
  return {
    workflowId: id,
    taskQueue,
    workflowIdReusePolicy: 'REJECT_DUPLICATE' as const,
    args: [input] as [RunInput],
    ...(input.owner === undefined ? {} : { memo: { [MEMO.owner]: input.owner } }),
    staticSummary: summaryOf(agent, input.owner),
    staticDetails: detailsOf(agent, input.owner),
  };
}

/** Characters of the owner, and of the agent, in the summary: the server refuses one of more than 400 bytes. */
const SUMMARY = { agent: 100, owner: 40 } as const;

/** What lists of runs show beside the id. */
function summaryOf(agent: string, owner: string | undefined): string {
  const name = agent.slice(0, SUMMARY.agent);
  return owner === undefined ? name : `${name} for ${owner.replace(/\s+/g, ' ').slice(0, SUMMARY.owner)}`;
}

/** The same at length, on the run's own page; an owner stands in code, so that it can bring in no links. */
function detailsOf(agent: string, owner: string | undefined): string {
  const code = owner?.replaceAll('`', "'").replace(/\s+/g, ' ').slice(0, 1000);
  return `Agent \`${agent}\`${code === undefined ? '' : `, owner \`${code}\``}`;
}
