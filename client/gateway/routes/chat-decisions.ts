import { defined } from '../../../agent/values/defined';
import type { Decided } from '../../protocols/ai-sdk/incoming';
import { approvalIdOf } from '../../protocols/ai-sdk/translate';
import type { ConversationHandle } from '../../runs/conversation-handle';
import type { Deps } from '../api';
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
      demand(principal, 'decide');
      if (approvalIdOf(ask.toolUseId, ask.hash) !== approval.id) {
        const message = 'The arguments of the call are not those that were approved. Look at it again.';
        throw new RequestRefused(409, 'ApprovalMismatch', message);
      }
      const { approved, reason, input } = approval;
      const decider = { by, roles: [...roles] };
      if (!approved) await handle.deny(ask, { ...decider, ...defined({ reason }) });
      else if (input !== undefined) await handle.edit(ask, { ...decider, input, ...defined({ comment: reason }) });
      else await handle.approve(ask, { ...decider, ...defined({ comment: reason }) });
      const audit = !approved ? 'deny' : input === undefined ? 'approve' : 'edit';
      log.info(
        { audit, user: by, ...defined({ tenant: principal.tenant }), id: handle.id, toolUseId: toolCallId },
        'Audit',
      );
      continue;
    }
    const question = own(questions).find(is);
    if (question !== undefined) {
      if (error !== undefined) await handle.decline(question, { by, reason: error });
      else await handle.answer(question, output ?? null, { by });
      continue;
    }
    const service = own(services).find((one) => is(one) && one.kind === 'signal');
    if (service === undefined) continue;
    const answer = error !== undefined ? { error } : { data: output ?? null };
    await access.client.completeCall(handle.id, toolCallId, { ...answer, idempotencyKey: service.ref });
  }
}
