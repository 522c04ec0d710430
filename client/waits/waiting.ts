import type { Client } from '@temporalio/client';
import { HoldfastError } from '../../agent/errors/error';
import { type Pending, QUERY } from '../../agent/protocol/queries';
import { defined } from '../../agent/values/defined';
import { whileLinked } from '../../runtime/abort/linked-abort';
import { unlessAborted } from '../../runtime/temporal/unless-aborted';
import { joinFeed } from '../feed/feeds';
import { endedOrMissing } from '../requests/ended-or-missing';
import { patientQuery } from '../requests/patient-query';
import { untilWorkerBack, type WorkerAsking, type WorkerPatience } from '../requests/until-worker-back';

/** How one look asks workers. */
interface Looking extends WorkerAsking {
  signal?: AbortSignal;
}

/** What a run and the agents that work for it wait for. */
async function pendingOf(client: Client, id: string, looking: Looking): Promise<Pending> {
  const own = await ownPending(client, id, looking);
  if (own.approvals.length + own.services.length + own.questions.length + own.models.length === 0) return own;
  // A run that was terminated could not update its state, which still says that it waits.
  const { status } = await client.workflow.getHandle(id).describe();
  if (status.name !== 'RUNNING') return NOTHING;
  const agents = own.services.filter(isAgent);
  // A child that has not started, or has just ended, waits for nothing.
  const below = await Promise.all(agents.map(({ ref }) => pendingOf(client, ref, looking).catch(unlessGone)));
  return {
    approvals: [...own.approvals, ...below.flatMap(({ approvals }) => approvals)],
    services: [...own.services, ...below.flatMap(({ services }) => services)],
    questions: [...own.questions, ...below.flatMap(({ questions }) => questions)],
    models: [...own.models, ...below.flatMap(({ models }) => models)],
  };
}

const NOTHING: Pending = { approvals: [], services: [], questions: [], models: [] };

/** What a run itself waits for. Workers before this version tell of no models. */
export async function ownPending(client: Client, id: string, options: Looking): Promise<Pending> {
  return { ...NOTHING, ...(await patientQuery<Pending>(client, id, QUERY.pending, options)) };
}

/** A run may be deleted, or not have started. */
export function unlessGone(error: unknown): Pending {
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
   * run: what they wait for counts instead. Models that give no answer count only by name.
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
  { atLeast = 0, ...options }: WaitingOptions & WorkerPatience,
): Promise<Pending> {
  return waitingUntil(client, id, (pending) => isEnough(pending, atLeast), options);
}

/** The same until `isEnough` says so. */
export async function waitingUntil(
  client: Client,
  id: string,
  isEnough: (pending: Pending) => boolean,
  { signal: stop, ...patience }: { signal?: AbortSignal } & WorkerPatience,
): Promise<Pending> {
  const feed = joinFeed(client, id);
  const { changes } = feed;
  const until = defined({ signal: stop });
  let isAnswered = false;
  try {
    for (;;) {
      stop?.throwIfAborted();
      const { closed, version } = changes;
      const pending = await untilWorkerBack(
        (asking) => unlessAborted(client, stop, () => pendingOf(client, id, { ...asking, ...until })),
        patience,
        () => isAnswered && !changes.closed && stop?.aborted !== true,
      );
      isAnswered = true;
      if (isEnough(pending)) return pending;
      if (closed) throw await endedOrMissing(client, id);
      const deep = pending.services.some(isAgent);
      // What agents below wait for changes nothing in the run itself.
      const again = deep ? AbortSignal.timeout(LOOK_AGAIN) : undefined;
      await whileLinked([stop, again], (signal) => changes.after(version, signal)).catch((error) => {
        if (stop?.aborted || error.name !== 'TimeoutError') throw error;
      });
    }
  } finally {
    feed.leave();
  }
}

function isEnough(pending: Pending, atLeast: AtLeast): boolean {
  const { approvals, questions, services } = pending;
  if (typeof atLeast === 'number') {
    return approvals.length + questions.length + services.filter((one) => !isAgent(one)).length >= atLeast;
  }
  return (['approvals', 'questions', 'services', 'models'] as const).every(
    (kind) => pending[kind].length >= (atLeast[kind] ?? 0),
  );
}

export function isAgent({ kind }: Pending['services'][number]): boolean {
  return kind === 'agent';
}
