import { type ActivityOptions, isCancellation, rootCause } from '@temporalio/workflow';
import { type Grant, grantFor } from '../../agent/approvals/approval';
import { messageOf } from '../../agent/errors/error';
import {
  ACTIVITY,
  type ReadGrantsInput,
  type ReadGrantsResult,
  type WriteGrantsInput,
} from '../../agent/protocol/activities';
import type { BatchCall } from '../../agent/state/state';
import { defined } from '../../agent/values/defined';
import type { Run } from '../run/run';
import { BACK_OFF, runActivity } from '../run/scheduling/activity';

/** All of it, waiting for a worker included: then a person is asked. */
const READ = {
  scheduleToCloseTimeout: 3000,
  retry: { ...BACK_OFF, initialInterval: 100 },
} satisfies ActivityOptions;

/** The server keeps a decision, no other worker is needed. What it refuses four times in a row it will go on refusing. */
const WRITE = {
  startToCloseTimeout: 15_000,
  heartbeatTimeout: 5000,
  retry: { ...BACK_OFF, maximumAttempts: 4 },
} satisfies ActivityOptions;

/** What earlier decisions say of the calls of a batch. */
interface Remembered {
  /** By the id of the call. */
  remembered: Map<string, Grant>;
  /** Those of other runs could not be read: a denial may be among them, and a person is to know that. */
  unread: boolean;
}

/** Decisions that hold already, those of the run and those of all runs of the agent: denied wins over granted. */
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
    // What the run itself was granted does not count either: a denial of another run would win.
    return { remembered, unread: true };
  }
}

/**
 * Keeps decisions for all runs of the agent with the same owner, before this one goes on. Where that fails it is told, and
 * the call goes its way: the decision on itself holds.
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
