import type { PendingApproval } from '../../../../agent/approvals/approval';
import type { PendingQuestion } from '../../../../agent/conversation/questions';
import type { PendingService } from '../../../../agent/protocol/calls/pending-service';
import type { Pending } from '../../../../agent/protocol/queries';
import { idBelow } from './agent-below';

/** What a person is waited for. */
export type AwaitedPerson =
  | { kind: 'approval'; ask: PendingApproval }
  | { kind: 'question'; question: PendingQuestion }
  | { kind: 'call'; service: PendingService };

/** What people are waited for in a run and by the agents that work for it, by the ids of calls in its messages. */
export function allWaits(runId: string, { approvals, questions, services }: Pending): Map<string, AwaitedPerson> {
  const all = new Map<string, AwaitedPerson>();
  for (const ask of approvals) all.set(idIn(runId, ask), { kind: 'approval', ask });
  for (const question of questions) all.set(idIn(runId, question), { kind: 'question', question });
  for (const service of services) {
    if (service.kind === 'signal') all.set(idIn(runId, service), { kind: 'call', service });
  }
  return all;
}

/** An agent's run is named after the call of the run that it works for. */
function idIn(runId: string, { id, toolUseId }: { id: string; toolUseId: string }): string {
  return idBelow(id.startsWith(`${runId}/`) ? id.slice(runId.length + 1) : '', toolUseId);
}
