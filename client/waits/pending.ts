import type { Client } from '@temporalio/client';
import { HoldfastError } from '../../agent/errors/error';
import { type Pending, QUERY } from '../../agent/protocol/activities';
import { defined } from '../../agent/values/defined';
import { joinFeed } from '../feed/feeds';
import { endedOrMissing } from '../requests/ended-or-missing';
import { patientQuery } from '../requests/patient-query';
import { is, isOwnedBy, listWorkflows } from '../requests/visibility';

/** The filters of a list of waiting runs. */
export interface PendingFilter {
  /** Runs of this agent only. */
  agent?: string;
  /** Runs of this owner only. */
  owner?: string;
}

/** What a run and the agents that work for it wait for. */
export async function pendingOf(client: Client, id: string, workerTimeout?: number): Promise<Pending> {
  const options = defined({ workerTimeout });
  const own = await patientQuery<Pending>(client, id, QUERY.pending, options);
  if (own.approvals.length + own.services.length + own.questions.length === 0) return own;
  // A run that was terminated could not update its state, which still says that it waits.
  const { status } = await client.workflow.getHandle(id).describe();
  if (status.name !== 'RUNNING') return NOTHING;
  const agents = own.services.filter(({ kind }) => kind === 'agent');
  // A child that has not started, or has just ended, waits for nothing.
  const below = await Promise.all(agents.map(({ ref }) => pendingOf(client, ref, workerTimeout).catch(unlessGone)));
  return {
    approvals: [...own.approvals, ...below.flatMap(({ approvals }) => approvals)],
    services: [...own.services, ...below.flatMap(({ services }) => services)],
    questions: [...own.questions, ...below.flatMap(({ questions }) => questions)],
  };
}

const NOTHING: Pending = { approvals: [], services: [], questions: [] };

function unlessGone(error: unknown): Pending {
  if (error instanceof HoldfastError && error.type === 'RunNotFound') return NOTHING;
  throw error;
}

/** Milliseconds between two looks at a run with agents that work for it: their waits are not in its own history. */
const LOOK_AGAIN = 500;

/**
 * What a run waits for, of one kind, once there are `atLeast` of them. It adds nothing to the run's history.
 * @throws HoldfastError `RunEnded` if the run has ended with fewer
 */
export async function waitForPending<T>(
  client: Client,
  id: string,
  { atLeast = 0, workerTimeout }: { atLeast?: number; workerTimeout?: number },
  pick: (pending: Pending) => T[],
): Promise<T[]> {
  const done = new AbortController();
  const feed = joinFeed(client, id, workerTimeout);
  const { changes } = feed;
  try {
    for (;;) {
      const { closed, version } = changes;
      const pending = await pendingOf(client, id, workerTimeout);
      const found = pick(pending);
      if (found.length >= atLeast) return found;
      if (closed) throw await endedOrMissing(client, id);
      const deep = pending.services.some(({ kind }) => kind === 'agent');
      // What agents below wait for changes nothing in the run itself.
      const signal = deep ? AbortSignal.any([done.signal, AbortSignal.timeout(LOOK_AGAIN)]) : done.signal;
      await changes.after(version, signal).catch((error) => {
        if (error.name !== 'TimeoutError') throw error;
      });
    }
  } finally {
    done.abort();
    feed.leave();
  }
}

/**
 * Runs queried at once, and milliseconds that each may take: a run without a worker must not hold up the whole list.
 */
const AT_ONCE = 20;
const WORKER_TIMEOUT_EACH = 10_000;

/** What waits for people: calls that need a decision, and questions. */
export type Asked = Pick<Pending, 'approvals' | 'questions'>;

/**
 * What waits for people in all runs, the oldest first, found by one visibility query. A run whose worker does not
 * answer is left out: no decision could be made there either.
 * @throws HoldfastError `RunsNotListed`, `NoServer`
 */
export async function pendingEverywhere(
  client: Client,
  filter: PendingFilter,
  workerTimeout = WORKER_TIMEOUT_EACH,
): Promise<Asked> {
  // The attribute names one kind only, but a run may wait for both, so both are read.
  const awaiting = "HoldfastAwaiting IN ('approval', 'question')";
  const query = [awaiting, "ExecutionStatus = 'Running'", ...conditions(filter)].join(' AND ');
  const ids: string[] = [];
  for await (const { workflowId } of listWorkflows(client, query)) ids.push(workflowId);
  const found: Asked = { approvals: [], questions: [] };
  const left = ids.values();
  const ask = async () => {
    for (const id of left) {
      const asked = patientQuery<Pending>(client, id, QUERY.pending, {
        workerTimeout: Math.min(workerTimeout, WORKER_TIMEOUT_EACH),
      });
      const { approvals, questions } = await asked.catch(unlessSilent);
      // The attribute holds only the beginning of a long owner, and some stores ignore case.
      found.approvals.push(...approvals.filter((approval) => fits(approval, filter)));
      found.questions.push(...questions.filter((question) => fits(question, filter)));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, ask));
  found.approvals.sort((a, b) => a.requestedAt - b.requestedAt);
  found.questions.sort((a, b) => a.askedAt - b.askedAt);
  return found;
}

function unlessSilent(error: unknown): Pending {
  if (error instanceof HoldfastError && error.type === 'NoWorker') return NOTHING;
  return unlessGone(error);
}

function conditions({ agent, owner }: PendingFilter): string[] {
  return [...is('HoldfastAgent', agent), ...isOwnedBy(owner)];
}

function fits(asked: { agent: string; owner?: string }, filter: PendingFilter): boolean {
  return (['agent', 'owner'] as const).every((field) => filter[field] === undefined || asked[field] === filter[field]);
}
