import type { Decision } from '../../agent/approvals/approval';
import { HoldfastError } from '../../agent/errors/error';
import { ACTIVITY, type CheckArgumentsInput, type CheckArgumentsResult } from '../../agent/protocol/activities';
import type { ApprovalOutcome, EditedArguments } from '../../agent/state/batch';
import { defined } from '../../agent/values/defined';
import type { Run } from '../run/run';
import { refusalOf } from './checks/check-decision';
import { Parked } from './settle-command';

/** Takes a person's decision on a call. Arguments that the person edited are checked first. */
export function decideApproval(run: Run, decision: Decision): ApprovalOutcome | Parked<CheckArgumentsResult> {
  refuse(run, decision);
  if (decision.decision !== 'edit') return decide(run, decision);
  const { toolUseId, input } = decision;
  const tool = run.call(toolUseId)?.name ?? '';
  const args: CheckArgumentsInput = { pin: run.pin, toolUseId, name: tool, input };
  const check = { activity: ACTIVITY.checkArguments, input: args, summary: `${toolUseId}: check the new arguments` };
  return new Parked(check, (verdict) => {
    if (!verdict.ok) {
      throw new HoldfastError('InvalidEdit', { id: run.state.id, toolUseId, tool, problem: verdict.problem });
    }
    // Another client may have decided while the arguments were checked.
    refuse(run, decision);
    const { hash, key } = verdict;
    return decide(run, decision, { input: verdict.input ?? input, hash, key });
  });
}

function decide(run: Run, decision: Decision, edit?: EditedArguments): ApprovalOutcome {
  const { by } = decision;
  const comment = decision.decision === 'deny' ? decision.reason : decision.comment;
  const decided = {
    decision: decision.decision,
    by,
    at: Date.now(),
    ...defined({ comment, edit, remember: decision.remember }),
  };
  run.apply({ type: 'decided', toolUseId: decision.toolUseId, decided });
  // The sender has the arguments: they need not be sent back and written to history again.
  const { edit: _, ...taken } = decided;
  return taken;
}

function refuse({ state }: Run, decision: Decision): void {
  const refusal = refusalOf(state, decision);
  if (refusal !== undefined) throw refusal;
}
