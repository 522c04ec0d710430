import { condition, isCancellation, rootCause, type TimerOptions } from '@temporalio/workflow';
import {
  ACTIVITY,
  type JudgeCallsInput,
  type JudgeCallsResult,
  type ReadGrantsInput,
  type ReadGrantsResult,
  type WriteGrantsInput,
} from '../agent/activities';
import { type Grant, granted } from '../agent/approval';
import { HoldfastError, messageOf } from '../agent/error';
import type { ToolSpec } from '../agent/manifest';
import type { ApprovalState, AwaitingCall, Decided } from '../agent/state';
import type { ToolOutcome } from '../agent/tool-call';
import { errorOutcome } from '../agent/tool-outcome';
import { runShort } from './activity';
import { callHash, repeatedUnknown } from './decide';
import { runLocal } from './local';
import type { Run } from './run';
import { publishWaiting } from './status';
import { grantOf } from './step-waits';

/** A call of the batch together with its tool. */
export interface Gated {
  call: AwaitingCall;
  tool: ToolSpec;
}

/**
 * Finds out which calls of a batch need a person, settles those that an earlier decision holds for, and asks about the
 * rest: after it each call that needs one has its `approval`.
 */
export async function askApprovals(run: Run, gated: readonly Gated[]): Promise<void> {
  const verdicts = await judged(run, gated);
  const open: (Gated & { key: string; repeats?: string })[] = [];
  const now = Date.now();
  gated.forEach(({ call, tool }, i) => {
    const { needed, key } = verdicts[i] ?? { needed: true, key: '' };
    const repeats = repeatedUnknown(run.state, tool, call.input)?.toolUseId;
    // Whether a call of unknown outcome is made again is a question of its own, which no earlier decision answers.
    if (repeats !== undefined) open.push({ call, tool, key, repeats });
    else if (needed) open.push({ call, tool, key });
  });
  const remembered = await readGrants(
    run,
    open.filter(({ repeats }) => repeats === undefined),
  );
  const asked = open.filter(({ call, key }) => {
    const grant = remembered.get(call.toolUseId);
    if (grant === undefined) return true;
    const about = { toolUseId: call.toolUseId, hash: callHash(call.input) };
    run.apply({ type: 'remembered', ...about, grant: { ...grant, key }, at: now });
    return false;
  });
  if (asked.length === 0) return;
  run.apply({ type: 'approvalsAsked', asked: asked.map(question) });
  publishWaiting(run);
}

function question({ call, tool, key, repeats }: Gated & { key: string; repeats?: string }) {
  const { expires, deciders } = tool.approval ?? {};
  const requestedAt = Date.now();
  return {
    toolUseId: call.toolUseId,
    hash: callHash(call.input),
    key,
    requestedAt,
    ...(expires === undefined ? {} : { expiresAt: requestedAt + expires }),
    ...(deciders === undefined ? {} : { deciders }),
    ...(repeats === undefined ? {} : { repeats }),
  };
}

/** The user's `when` and `rememberBy` run in the worker, in one local activity for the whole batch. */
async function judged({ state, pin, bytes }: Run, gated: readonly Gated[]): Promise<JudgeCallsResult> {
  const asks = gated.filter(({ tool }) => tool.approval?.asks === true);
  if (asks.length === 0) return gated.map(() => ({ needed: true, key: '' }));
  const calls = asks.map(({ call: { toolUseId, name, input } }) => ({ toolUseId, name, input }));
  const input: JudgeCallsInput = { pin, turn: state.turn, calls };
  const summary = `turn ${state.turn}: who must approve?`;
  const answers = await runLocal<JudgeCallsResult>(ACTIVITY.judgeCalls, input, summary, bytes);
  return gated.map(({ call, tool }) => {
    const i = calls.findIndex(({ toolUseId }) => toolUseId === call.toolUseId);
    return (tool.approval?.asks ? answers[i] : undefined) ?? { needed: true, key: '' };
  });
}

/** Decisions that hold already, those of the run and those of all runs of the agent: denied wins over granted. */
async function readGrants({ state }: Run, open: readonly (Gated & { key: string })[]): Promise<Map<string, Grant>> {
  const { agent, owner, grants, turn } = state;
  const asked = open.filter(({ call, key }) => granted(grants, call.name, key)?.allowed !== false);
  const wanted = asked.map(({ call, key }) => ({ tool: call.name, key }));
  const input: ReadGrantsInput = { agent, wanted, ...(owner === undefined ? {} : { owner }) };
  const summary = `turn ${turn}: look for remembered decisions`;
  const answers =
    wanted.length === 0 ? [] : await runShort<ReadGrantsResult>(ACTIVITY.readGrants, input, summary).catch(nothing);
  const found = new Map<string, Grant>();
  for (const gated of open) {
    const { call, key } = gated;
    const kept = answers[asked.indexOf(gated)];
    const grant = granted(kept ? [...grants, kept] : grants, call.name, key);
    if (grant !== undefined) found.set(call.toolUseId, grant);
  }
  return found;
}

/** A cache that does not answer remembers nothing: a person is asked. */
function nothing(error: unknown): ReadGrantsResult {
  if (isCancellation(error)) throw error;
  return [];
}

/**
 * Waits until a call that was asked about is decided. `undefined`: it may run; else what the model is told.
 * @throws HoldfastError `ApprovalExpired` where nobody decided and the tool's policy ends the run for that
 */
export async function cleared(run: Run, { call, tool }: Gated): Promise<ToolOutcome | undefined> {
  const { toolUseId } = call;
  const approval = () => run.call(toolUseId)?.approval;
  if (approval() === undefined) return undefined;
  const decided = () => approval()?.decision !== undefined;
  for (let before = ''; !decided(); before = 'escalated') {
    const { expiresAt } = approval() as ApprovalState;
    if (expiresAt === undefined) await condition(decided);
    else if (!(await condition(decided, Math.max(1, expiresAt - Date.now()), timerOf(call)))) {
      // The arguments of an edit may have been found right in the very task in which the time is over.
      if (!decided()) expire(run, { call, tool }, before);
    }
  }
  const decision = approval()?.decision as Decided;
  publishWaiting(run);
  if (decision.decision === 'expired') return expiredOutcome(tool);
  if (decision.remember === 'agent') await writeGrants(run, [grantOf(run.state, toolUseId, decision)]);
  if (decision.decision !== 'deny') return undefined;
  const reason = decision.comment ? `: ${decision.comment}` : '.';
  return errorOutcome('Denied', `\`${tool.modelName}\` was not run: ${decision.by} denied it${reason}`);
}

/** What the model is told of a call that was surely not run, since something broke off the wait before it. */
export function notRun(error: unknown, tool: ToolSpec): ToolOutcome {
  if (error instanceof HoldfastError) return expiredOutcome(tool);
  if (isCancellation(error)) return errorOutcome('ToolCancelled', `\`${tool.modelName}\` was cancelled before it ran.`);
  return errorOutcome('ToolFailed', `\`${tool.modelName}\` was not run: ${rootCause(error) ?? messageOf(error)}`);
}

function expiredOutcome({ modelName }: ToolSpec): ToolOutcome {
  return errorOutcome('ApprovalExpired', `\`${modelName}\` was not run: nobody approved it in time.`);
}

function timerOf({ name, toolUseId }: AwaitingCall): TimerOptions {
  return { summary: `${toolUseId} ${name}: approval expires`.slice(0, 100) };
}

function expire(run: Run, { call, tool }: Gated, before: string): void {
  const { toolUseId, name } = call;
  const { onExpire = 'deny', escalation } = tool.approval ?? {};
  if (before === '' && onExpire === 'escalate' && escalation !== undefined) {
    const { deciders, expires } = escalation;
    run.apply({ type: 'escalated', toolUseId, deciders, expiresAt: Date.now() + expires });
    return;
  }
  run.apply({ type: 'approvalExpired', toolUseId, at: Date.now() });
  const last = onExpire === 'escalate' ? escalation?.onExpire : onExpire;
  if (last === 'fail') throw new HoldfastError('ApprovalExpired', { id: run.state.id, toolUseId, tool: name });
}

/** Keeps decisions for all runs of the agent with the same owner, before this one goes on. */
export async function writeGrants({ state }: Run, grants: readonly (Grant | undefined)[]): Promise<void> {
  const kept = grants.filter((grant) => grant !== undefined);
  if (kept.length === 0) return;
  const { agent, owner, turn } = state;
  const input: WriteGrantsInput = { agent, grants: kept, ...(owner === undefined ? {} : { owner }) };
  const what = kept.length === 1 ? 'a decision' : `${kept.length} decisions`;
  await runShort<void>(ACTIVITY.writeGrants, input, `turn ${turn}: remember ${what}`);
}
