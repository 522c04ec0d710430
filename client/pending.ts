import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { type Pending, QUERY } from '../agent/activities';
import type { PendingApproval } from '../agent/approval';
import { HoldfastError } from '../agent/error';
import { endedOrMissing } from './ended-or-missing';
import { HistoryChanges } from './history-changes';
import { patientQuery } from './patient-query';

/** What a list of waiting runs is narrowed by. */
export interface PendingFilter {
  /** Runs of this agent only. */
  agent?: string;
  /** Runs of this owner only. */
  owner?: string;
}

/** What a run and the agents that work for it wait for. */
export async function pendingOf(client: Client, id: string, patience?: number): Promise<Pending> {
  const options = patience === undefined ? {} : { patience };
  const own = await patientQuery<Pending>(client, id, QUERY.pending, options);
  if (own.approvals.length + own.services.length === 0) return own;
  // A run that was terminated could not take note of it: its state says that it waits.
  const { status } = await client.workflow.getHandle(id).describe();
  if (status.name !== 'RUNNING') return NOTHING;
  const agents = own.services.filter(({ way }) => way === 'agent');
  // A child that has not begun, or has just ended, waits for nothing.
  const below = await Promise.all(agents.map(({ ref }) => pendingOf(client, ref, patience).catch(unlessGone)));
  return {
    approvals: [...own.approvals, ...below.flatMap(({ approvals }) => approvals)],
    services: [...own.services, ...below.flatMap(({ services }) => services)],
  };
}

const NOTHING: Pending = { approvals: [], services: [] };

function unlessGone(error: unknown): Pending {
  if (error instanceof HoldfastError && error.type === 'RunNotFound') return NOTHING;
  throw error;
}

/** Milliseconds between two looks at a run with agents below it, whose waiting does not show in its own history. */
const LOOK_AGAIN = 500;

/**
 * What a run waits for, of one kind, once at least so many wait. Costs the run no history.
 * @throws HoldfastError `RunEnded` where it has ended with fewer
 */
export async function waitForPending<T>(
  client: Client,
  id: string,
  { atLeast = 0, patience }: { atLeast?: number; patience?: number },
  pick: (pending: Pending) => T[],
): Promise<T[]> {
  const done = new AbortController();
  const changes = new HistoryChanges(client, id, done.signal);
  let changed: Promise<void> | undefined;
  try {
    if (atLeast > 0) await changes.begin();
    for (;;) {
      const { closed } = changes;
      const pending = await pendingOf(client, id, patience);
      const found = pick(pending);
      if (found.length >= atLeast) return found;
      if (closed) throw await endedOrMissing(client, id);
      const deep = pending.services.some(({ way }) => way === 'agent');
      changed ??= changes.next().finally(() => {
        changed = undefined;
      });
      await (deep ? Promise.race([changed, delay(LOOK_AGAIN, undefined, { signal: done.signal })]) : changed);
    }
  } finally {
    // The poll under way ends with the signal: nobody waits for it any more.
    changed?.catch(() => undefined);
    done.abort();
  }
}

/** Approvals of all runs that wait for one, found by one visibility query. */
export async function pendingEverywhere(
  client: Client,
  filter: PendingFilter,
  patience?: number,
): Promise<PendingApproval[]> {
  const query = ["HoldfastAwaiting = 'approval'", "ExecutionStatus = 'Running'", ...conditions(filter)].join(' AND ');
  const found: PendingApproval[] = [];
  for await (const { workflowId } of client.workflow.list({ query })) {
    const options = patience === undefined ? {} : { patience };
    const { approvals } = await patientQuery<Pending>(client, workflowId, QUERY.pending, options).catch(unlessGone);
    found.push(...approvals);
  }
  return found.sort((a, b) => a.requestedAt - b.requestedAt);
}

function conditions({ agent, owner }: PendingFilter): string[] {
  const quoted = (text: string) => `'${text.replaceAll("'", "\\'")}'`;
  return [
    ...(agent === undefined ? [] : [`HoldfastAgent = ${quoted(agent)}`]),
    ...(owner === undefined ? [] : [`HoldfastOwner = ${quoted(owner.slice(0, 255))}`]),
  ];
}
