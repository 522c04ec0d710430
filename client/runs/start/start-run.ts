import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { HoldfastError } from '../../../agent/errors/error';
import type { RunInput, RunResult } from '../../../agent/protocol/run';
import { defined } from '../../../agent/values/defined';
import { orHoldfastError } from '../../requests/client-error';
import { MEMO } from '../sessions';
import { checkAttach } from './attach';

/** A run to start. */
export interface Start {
  agent: string;
  id: string;
  taskQueue: string;
  input: RunInput;
  /** Lists show it. */
  title?: string;
}

/**
 * Starts a run, or accepts that the same one exists already.
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

/** Temporal's start options. An id is never used again. */
export function startOptions({ agent, id, taskQueue, input, title }: Start) {
  if (id.startsWith('holdfast.')) {
    throw new HoldfastError('IdInUse', { id, problem: 'ids that begin with `holdfast.` are reserved' });
  }
  return {
    workflowId: id,
    taskQueue,
    workflowIdReusePolicy: 'REJECT_DUPLICATE' as const,
    args: [input] as [RunInput],
    memo: defined({ [MEMO.owner]: input.owner, [MEMO.title]: title || undefined }),
    staticSummary: summaryOf(agent, input.owner),
    staticDetails: detailsOf(agent, input.owner),
  };
}

/** Maximum characters of agent and owner in the summary: the server refuses a summary of more than 400 bytes. */
const SUMMARY = { agent: 100, owner: 40 } as const;

/** The summary that lists of runs show next to the id. */
function summaryOf(agent: string, owner: string | undefined): string {
  const name = agent.slice(0, SUMMARY.agent);
  return owner === undefined ? name : `${name} for ${owner.replace(/\s+/g, ' ').slice(0, SUMMARY.owner)}`;
}

/** The details on the run's own page. The owner is formatted as code, so that it cannot add links. */
function detailsOf(agent: string, owner: string | undefined): string {
  const code = owner?.replaceAll('`', "'").replace(/\s+/g, ' ').slice(0, 1000);
  return `Agent \`${agent}\`${code === undefined ? '' : `, owner \`${code}\``}`;
}
