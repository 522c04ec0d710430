import { type ActivityOptions, isCancellation, rootCause } from '@temporalio/workflow';
import { type Grant, grantFor } from '../../agent/approvals/approval';
import { messageOf } from '../../agent/errors/error';
import {
  ACTIVITY,
  type ReadGrantsInput,
  type ReadGrantsResult,
  type WriteGrantsInput,
} from '../../agent/protocol/activities';
import type { BatchCall } from '../../agent/state/batch';
import { defined } from '../../agent/values/defined';
import type { Run } from '../run/run';
import { BACK_OFF, runActivity } from '../run/scheduling/activity';

/** Time limits for the whole lookup, including the wait for a worker. After that a person is asked. */
const READ = {
  scheduleToCloseTimeout: 3000,
  retry: { ...BACK_OFF, initialInterval: 100 },
} satisfies ActivityOptions;

/** The server keeps the decision, so no other worker is needed. After four refusals in a row it will keep refusing. */
const WRITE = {
  startToCloseTimeout: 15_000,
  heartbeatTimeout: 5000,
  retry: { ...BACK_OFF, maximumAttempts: 4 },
} satisfies ActivityOptions;

/** Earlier decisions on the calls of a batch. */
interface Remembered {
  /** Keyed by the id of the call. */
  remembered: Map<string, Grant>;
  /** The decisions of other runs could not be read. A denial may be among them: the person has to know that. */
  unread: boolean;
}

/** Decisions that hold already, from this run and from all runs of the agent. A denial wins over a grant. */
export async function readGrants(
  { state }: Run,
  open: readonly { call: BatchCall; key: string }[],
): Promise<Remembered> {
  const { agent, owner, grants, turn } = state;
  const remembered = new Map<string, Grant>();
  const asked = open.filter(({ call, key }) => {
    const own = grantFor(grants, call.name, key);
    if (own?.allowed === false) remembered.set(call.toolUseId, own);
    return own?.allowed !== false;
  });
  if (asked.length === 0) return { remembered, unread: false };
  const wanted = asked.map(({ call, key }) => ({ tool: call.name, key }));
  const input: ReadGrantsInput = { agent, wanted, ...defined({ owner }) };
  const summary = `turn ${turn}: look for remembered decisions`;
  try {
    const answers = await runActivity<ReadGrantsResult>(ACTIVITY.readGrants, input, { ...READ, summary });
    asked.forEach(({ call, key }, i) => {
      const kept = answers[i];
      const grant = grantFor(kept ? [...grants, kept] : grants, call.name, key);
      if (grant !== undefined) remembered.set(call.toolUseId, grant);
    });
    return { remembered, unread: false };
  } catch (error) {
    if (isCancellation(error)) throw error;
    // Grants of this run do not count either: a denial from another run would win over them.
    return { remembered, unread: true };
  }
}

/**
 * Keeps decisions for all runs of the agent with the same owner, before this run goes on. Where that fails, a fact
 * reports it and the call goes on: the decision on the call itself holds.
 */
export async function writeGrants(run: Run, toolUseId: string, grants: readonly (Grant | undefined)[]): Promise<void> {
  const kept = grants.filter((grant) => grant !== undefined);
  if (kept.length === 0) return;
  const { agent, owner, turn } = run.state;
  const input: WriteGrantsInput = { agent, grants: kept, ...defined({ owner }) };
  const summary = `turn ${turn}: remember ${kept.length === 1 ? 'a decision' : `${kept.length} decisions`}`;
  try {
    await runActivity<void>(ACTIVITY.writeGrants, input, { ...WRITE, summary });
  } catch (error) {
    if (isCancellation(error)) throw error;
    run.apply({ type: 'notKept', toolUseId, grants: kept, problem: rootCause(error) ?? messageOf(error) });
  }
}
