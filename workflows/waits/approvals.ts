import { isCancellation, rootCause } from '@temporalio/workflow';
import { keyOfArguments, type RuleVerdict } from '../../agent/approvals/approval';
import { HoldfastError, messageOf } from '../../agent/errors/error';
import { repeatedUnknown } from '../../agent/plan/plan-calls';
import {
  approvalExpired,
  cancelledBeforeRun,
  denied,
  notRun as notRunText,
} from '../../agent/prompts/calls/refused-calls';
import type { ToolOutcome } from '../../agent/protocol/calls/tool-call';
import { errorOutcome } from '../../agent/protocol/calls/tool-outcome';
import type { ToolSpec } from '../../agent/protocol/manifest';
import type { ApprovalOutcome, BatchCall } from '../../agent/state/batch';
import { defined } from '../../agent/values/defined';
import type { Run } from '../run/run';
import { grantOf } from '../state/reducers/waits';
import type { ToolCall } from '../state/selectors/calls';
import { approvalSummary } from '../view/summaries';
import { publish } from '../view/visibility';
import { readGrants, writeGrants } from './remembered-grants';
import { wait } from './wait';

/**
 * Finds out which calls of a batch need a decision, settles those that an earlier decision covers, and asks about the
 * rest. Afterwards each call that needs a decision has its `approval`.
 */
export async function askApprovals(run: Run, gated: readonly ToolCall[]): Promise<void> {
  const open: (ToolCall & { key: string; repeats?: string })[] = [];
  const now = Date.now();
  for (const { call, tool } of gated) {
    const { needed, key } = verdictOn(call, tool);
    const repeats = repeatedUnknown(tool, call.hash, run.state)?.toolUseId;
    // Whether to repeat a call of unknown outcome is a separate question, which no earlier decision answers.
    if (repeats !== undefined) open.push({ call, tool, key, repeats });
    else if (needed) open.push({ call, tool, key });
  }
  const { remembered, unread } = await readGrants(
    run,
    open.filter(({ repeats }) => repeats === undefined),
  );
  const asked = open.filter(({ call, key }) => {
    const grant = remembered.get(call.toolUseId);
    if (grant === undefined) return true;
    const about = { toolUseId: call.toolUseId, hash: call.hash };
    run.apply({ type: 'remembered', ...about, grant: { ...grant, key }, at: now });
    return false;
  });
  if (asked.length === 0) return;
  run.apply({ type: 'approvalsAsked', asked: asked.map((one) => question(one, unread)) });
  publish(run);
}

function question({ call, tool, key, repeats }: ToolCall & { key: string; repeats?: string }, unread: boolean) {
  const { expires, deciders } = tool.approval ?? {};
  const requestedAt = Date.now();
  return {
    toolUseId: call.toolUseId,
    hash: call.hash,
    key,
    requestedAt,
    ...(expires === undefined ? {} : { expiresAt: requestedAt + expires }),
    ...defined({ deciders, repeats }),
    ...(unread && repeats === undefined ? { grantsUnread: true as const } : {}),
  };
}

/**
 * The worker's verdict on a call. Where the worker should have applied the rules and did not, a person decides on this
 * call only.
 */
function verdictOn({ ruled, hash }: BatchCall, { approval }: ToolSpec): RuleVerdict {
  return ruled ?? { needed: true, key: approval?.asks === true ? keyOfArguments(hash) : '' };
}

/**
 * Waits for the decision on a call. Returns `undefined` where the call may run, otherwise the outcome for the model.
 * @throws HoldfastError `ApprovalExpired` where no decision came in time and the tool's policy ends the run for that
 */
export async function awaitClearance(run: Run, { call, tool }: ToolCall): Promise<ToolOutcome | undefined> {
  const { toolUseId } = call;
  const decision = await awaitDecision(run, { call, tool });
  if (decision === undefined) return undefined;
  if (decision.decision === 'expired') return expiredOutcome(tool);
  if (decision.remember === 'agent') await writeGrants(run, toolUseId, [grantOf(run.state, toolUseId, decision)]);
  if (decision.decision !== 'deny') return undefined;
  return errorOutcome('Denied', denied(tool.modelName, decision));
}

/** The decision on a call; `undefined` where none was asked for. */
async function awaitDecision(run: Run, { call, tool }: ToolCall): Promise<ApprovalOutcome | undefined> {
  const approval = () => run.call(call.toolUseId)?.approval;
  const decided = () => approval()?.status === 'decided';
  for (;;) {
    const asked = approval();
    if (asked === undefined) return undefined;
    if (asked.status === 'decided') return asked.decision;
    const { expiresAt, deciders } = asked;
    const summary = approvalSummary(call, deciders);
    const expiry = expiresAt === undefined ? undefined : { ms: expiresAt - Date.now(), summary };
    const inTime = await wait(run, decided, expiry);
    // The check of an edit may have succeeded in the same task in which the time is over.
    if (!inTime && !decided()) expire(run, { call, tool }, asked.escalated);
  }
}

/** The outcome of a call that certainly did not run, since the wait before it was interrupted. */
export function notRun(error: unknown, tool: ToolSpec): ToolOutcome {
  if (error instanceof HoldfastError) return expiredOutcome(tool);
  if (isCancellation(error)) return errorOutcome('ToolCancelled', cancelledBeforeRun(tool.modelName));
  return errorOutcome('ToolFailed', notRunText(tool.modelName, rootCause(error) ?? messageOf(error)));
}

function expiredOutcome({ modelName }: ToolSpec): ToolOutcome {
  return errorOutcome('ApprovalExpired', approvalExpired(modelName));
}

function expire(run: Run, { call, tool }: ToolCall, isEscalated = false): void {
  const { toolUseId, name } = call;
  const { onExpire = 'deny', escalation } = tool.approval ?? {};
  if (!isEscalated && onExpire === 'escalate' && escalation !== undefined) {
    const { deciders, expires } = escalation;
    run.apply({ type: 'escalated', toolUseId, deciders, expiresAt: Date.now() + expires });
    return;
  }
  run.apply({ type: 'approvalExpired', toolUseId, at: Date.now() });
  const last = onExpire === 'escalate' ? escalation?.onExpire : onExpire;
  if (last === 'fail') throw new HoldfastError('ApprovalExpired', { id: run.state.id, toolUseId, tool: name });
}
