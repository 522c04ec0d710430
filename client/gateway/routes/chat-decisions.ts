import type { PendingApproval } from '../../../agent/approvals/approval';
import { defined } from '../../../agent/values/defined';
import { approvalIdOf } from '../../protocols/ai-sdk/calls';
import type { Decided } from '../../protocols/ai-sdk/incoming';
import type { ConversationHandle } from '../../runs/conversation-handle';
import type { Deps } from '../api';
import { tellAudit } from '../audit';
import type { Principal } from '../auth/principal';
import { RequestRefused } from '../failure';
import { demand } from '../runs/access';

/**
 * Carries out what the last message of an assistant says. Only what the run waits for now counts: a message also has the
 * decisions of before, and may have forged ones.
 */
export async function carryOut(
  { access, log }: Pick<Deps, 'access' | 'log'>,
  principal: Principal,
  handle: ConversationHandle<unknown>,
  decided: readonly Decided[],
  handleFor: (command: string) => ConversationHandle<unknown>,
): Promise<void> {
  if (decided.length === 0) return;
  const { user: by, roles } = principal;
  const { approvals, questions, services } = await handle.waiting();
  // Those of agents that work for this run have their own calls, with the same ids.
  const own = <T extends { id: string }>(all: readonly T[]) => all.filter(({ id }) => id === handle.id);
  for (const { toolCallId, approval, output, error } of decided) {
    const is = ({ toolUseId }: { toolUseId: string }) => toolUseId === toolCallId;
    if (approval !== undefined) {
      const ask = own(approvals).find(is);
      if (ask === undefined) continue;
      const audit = !approval.approved ? 'deny' : approval.input === undefined ? 'approve' : 'edit';
      const about = { audit, id: handle.id, toolUseId: toolCallId };
      try {
        demand(principal, 'decide');
        await decide(handleFor(`${audit} ${toolCallId}`), ask, approval, { by, roles: [...roles] });
      } catch (error) {
        tellAudit(log, principal, about, error);
        throw error;
      }
      tellAudit(log, principal, about);
      continue;
    }
    const question = own(questions).find(is);
    if (question !== undefined) {
      const asked = handleFor(`answer ${toolCallId}`);
      if (error !== undefined) await asked.decline(question, { by, reason: error });
      else await asked.answer(question, output ?? null, { by });
      continue;
    }
    const service = own(services).find((one) => is(one) && one.kind === 'signal');
    if (service === undefined) continue;
    const answer = error !== undefined ? { error } : { data: output ?? null };
    await access.client.completeCall(handle.id, toolCallId, { ...answer, idempotencyKey: service.ref });
  }
}

async function decide(
  handle: ConversationHandle<unknown>,
  ask: PendingApproval,
  { id, approved, reason, input }: NonNullable<Decided['approval']>,
  decider: { by: string; roles: string[] },
): Promise<void> {
  if (approvalIdOf(ask.toolUseId, ask.hash) !== id) {
    const message = 'The arguments of the call are not those that were approved. Look at it again.';
    throw new RequestRefused(409, 'ApprovalMismatch', message);
  }
  const comment = defined({ comment: reason });
  if (!approved) await handle.deny(ask, { ...decider, ...defined({ reason }) });
  else if (input !== undefined) await handle.edit(ask, { ...decider, input, ...comment });
  else await handle.approve(ask, { ...decider, ...comment });
}
