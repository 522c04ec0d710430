import type { PendingApproval } from '../../../agent/approvals/approval';
import { defined } from '../../../agent/values/defined';
import { allWaits } from '../../protocols/ai-sdk/below/waits';
import { approvalIdOf } from '../../protocols/ai-sdk/calls/call-chunks';
import type { Decided } from '../../protocols/ai-sdk/incoming';
import type { ConversationHandle } from '../../runs/conversation-handle';
import type { Deps } from '../api';
import { type Audited, tellAudit } from '../audit';
import type { Principal } from '../auth/principal';
import { RequestRefused } from '../failure';
import { demand } from '../runs/access';

/**
 * Carries out what the last message of an assistant says. Only what the run, and the agents that work for it, wait for now
 * counts: a message also has the decisions of before, and may have forged ones.
 */
export async function carryOut(
  { access, answerers, log }: Pick<Deps, 'access' | 'answerers' | 'log'>,
  principal: Principal,
  handle: ConversationHandle<unknown>,
  decided: readonly Decided[],
  commandFor: (run: string, what: string) => string | undefined,
): Promise<void> {
  if (decided.length === 0) return;
  const { user: by, roles } = principal;
  const audited = async (about: Audited, act: () => Promise<void>) => {
    try {
      await act();
    } catch (error) {
      tellAudit(log, principal, about, error);
      throw error;
    }
    tellAudit(log, principal, about);
  };
  const waits = allWaits(handle.id, await handle.waiting());
  for (const { toolCallId, approval, output, error } of decided) {
    const awaited = waits.get(toolCallId);
    if (awaited === undefined) continue;
    // It has its answer now: another part about the same call says nothing.
    const open = async (id: string, toolUseId: string, what: string) =>
      (await access.open(principal, id, commandFor(id, `${what} ${toolUseId}`))).handle;
    if (awaited.kind === 'approval') {
      if (approval === undefined) continue;
      const { ask } = awaited;
      const { id, toolUseId } = ask;
      const audit = !approval.approved ? 'deny' : approval.input === undefined ? 'approve' : 'edit';
      await audited({ audit, id, toolUseId }, async () => {
        demand(principal, 'decide');
        seenAs(approval.id, toolCallId, ask);
        await decide(await open(id, toolUseId, audit), ask, approval, { by, roles: [...roles] });
      });
    } else if (approval !== undefined) {
      continue;
    } else if (awaited.kind === 'question') {
      const { question } = awaited;
      const asked = await open(question.id, question.toolUseId, 'answer');
      if (error !== undefined) await asked.decline(question, { by, reason: error });
      else await asked.answer(question, output ?? null, { by });
    } else {
      const { service } = awaited;
      const { id, toolUseId, ref: idempotencyKey } = service;
      await audited({ audit: 'result', id, toolUseId }, async () => {
        await open(id, toolUseId, 'result');
        await answerers.demand(principal, service);
        const answer = error !== undefined ? { error } : { data: output ?? null };
        await access.client.completeCall(id, toolUseId, { ...answer, idempotencyKey });
      });
    }
    waits.delete(toolCallId);
  }
}

/** @throws RequestRefused 409 */
function seenAs(approvalId: string, toolCallId: string, { hash }: PendingApproval): void {
  if (approvalIdOf(toolCallId, hash) === approvalId) return;
  const message = 'The arguments of the call are not those that were approved. Look at it again.';
  throw new RequestRefused(409, 'ApprovalMismatch', message);
}

async function decide(
  handle: ConversationHandle<unknown>,
  ask: PendingApproval,
  { approved, reason, input }: NonNullable<Decided['approval']>,
  decider: { by: string; roles: string[] },
): Promise<void> {
  const comment = defined({ comment: reason });
  if (!approved) await handle.deny(ask, { ...decider, ...defined({ reason }) });
  else if (input !== undefined) await handle.edit(ask, { ...decider, input, ...comment });
  else await handle.approve(ask, { ...decider, ...comment });
}
