import type { Client } from '@temporalio/client';
import { HoldfastError } from '../../agent/errors/error';
import { type Pending, QUERY } from '../../agent/protocol/activities';
import { defined } from '../../agent/values/defined';
import { joinFeed } from '../feed/feeds';
import { endedOrMissing } from '../requests/ended-or-missing';
import { patientQuery } from '../requests/patient-query';
import { is, isOwnedBy, isOwnedByAny, listWorkflows } from '../requests/visibility';

/** The filters of a list of waiting runs. */
export interface WaitingFilter {
  /** Runs of this agent only. */
  agent?: string;
  /** Runs of this owner only. */
  owner?: string;
  /** Runs of owners that begin with this text only. */
  ownerPrefix?: string;
}

/** What a run and the agents that work for it wait for. */
async function pendingOf(client: Client, id: string, workerTimeout?: number): Promise<Pending> {
  const options = defined({ workerTimeout });
  const own = await patientQuery<Pending>(client, id, QUERY.pending, options);
  if (own.approvals.length + own.services.length + own.questions.length === 0) return own;
  // A run that was terminated could not update its state, which still says that it waits.
  const { status } = await client.workflow.getHandle(id).describe();
  if (status.name !== 'RUNNING') return NOTHING;
  const agents = own.services.filter(isAgent);
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

/** How many must wait: of each kind that is named. A number counts all of them. */
export type AtLeast = number | { readonly [Kind in keyof Pending]?: number };

/** What a run waits for; the kinds that were waited for have at least one. */
export type Waiting<Least extends AtLeast = number> = {
  [Kind in keyof Pending]: Kind extends keyof Least ? [Pending[Kind][number], ...Pending[Kind]] : Pending[Kind];
};

/** What to wait for. */
export interface WaitingOptions<Least extends AtLeast = AtLeast> {
  /**
   * Default 0: it does not wait. A number counts approvals, questions and services, without the agents that work for the
   * run: what they wait for counts instead.
   */
  atLeast?: Least;
  /** Ends the wait: it then throws the reason of the signal. */
  signal?: AbortSignal;
}

/**
 * What a run and the agents that work for it wait for, once there is enough of it. It adds nothing to the run's history.
 * @throws HoldfastError `RunEnded` if the run has ended with less
 */
export function waitingOf(
  client: Client,
  id: string,
  { atLeast = 0, ...options }: WaitingOptions & { workerTimeout?: number },
): Promise<Pending> {
  return waitingUntil(client, id, (pending) => isEnough(pending, atLeast), options);
}

/** The same until `isEnough` says so. */
export async function waitingUntil(
  client: Client,
  id: string,
  isEnough: (pending: Pending) => boolean,
  { signal: stop, workerTimeout }: { signal?: AbortSignal; workerTimeout?: number },
): Promise<Pending> {
  const done = new AbortController();
  const signals = [done.signal, ...(stop === undefined ? [] : [stop])];
  const feed = joinFeed(client, id, workerTimeout);
  const { changes } = feed;
  try {
    for (;;) {
      stop?.throwIfAborted();
      const { closed, version } = changes;
      const pending = await pendingOf(client, id, workerTimeout);
      if (isEnough(pending)) return pending;
      if (closed) throw await endedOrMissing(client, id);
      const deep = pending.services.some(isAgent);
      // What agents below wait for changes nothing in the run itself.
      const signal = AbortSignal.any([...signals, ...(deep ? [AbortSignal.timeout(LOOK_AGAIN)] : [])]);
      await changes.after(version, signal).catch((error) => {
        if (stop?.aborted || error.name !== 'TimeoutError') throw error;
      });
    }
  } finally {
    done.abort();
    feed.leave();
  }
}

function isEnough(pending: Pending, atLeast: AtLeast): boolean {
  const { approvals, questions, services } = pending;
  if (typeof atLeast === 'number') {
    return approvals.length + questions.length + services.filter((one) => !isAgent(one)).length >= atLeast;
  }
  return (['approvals', 'questions', 'services'] as const).every(
    (kind) => pending[kind].length >= (atLeast[kind] ?? 0),
  );
}

function isAgent({ kind }: Pending['services'][number]): boolean {
  return kind === 'agent';
}

/**
 * Runs queried at once, and milliseconds that each may take: a run without a worker must not hold up the whole list.
 */
const AT_ONCE = 20;
const WORKER_TIMEOUT_EACH = 10_000;

/** What waits for people: calls that need a decision, and questions. */
export type WaitingForPeople = Pick<Pending, 'approvals' | 'questions'>;

/**
 * What waits for people in all runs, the oldest first, found by one visibility query. A run whose worker does not
 * answer is left out: no decision could be made there either.
 * @throws HoldfastError `RunsNotListed`, `NoServer`
 */
export async function waitingEverywhere(
  client: Client,
  filter: WaitingFilter,
  workerTimeout = WORKER_TIMEOUT_EACH,
): Promise<WaitingForPeople> {
  // The attribute names one kind only, but a run may wait for both, so both are read.
  const awaiting = "HoldfastAwaiting IN ('approval', 'question')";
  const query = [awaiting, "ExecutionStatus = 'Running'", ...conditions(filter)].join(' AND ');
  const ids: string[] = [];
  for await (const { workflowId } of listWorkflows(client, query)) ids.push(workflowId);
  const found: WaitingForPeople = { approvals: [], questions: [] };
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

function conditions({ agent, owner, ownerPrefix }: WaitingFilter): string[] {
  return [...is('HoldfastAgent', agent), ...isOwnedBy(owner), ...isOwnedByAny(ownerPrefix)];
}

function fits(asked: { agent: string; owner?: string }, filter: WaitingFilter): boolean {
  if (filter.ownerPrefix !== undefined && !asked.owner?.startsWith(filter.ownerPrefix)) return false;
  return (['agent', 'owner'] as const).every((field) => filter[field] === undefined || asked[field] === filter[field]);
}
