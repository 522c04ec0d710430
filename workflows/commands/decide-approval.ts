import { rootCause, TemporalFailure } from '@temporalio/common';
import type { Decision } from '../../agent/approvals/approval';
import { HoldfastError } from '../../agent/errors/error';
import { ACTIVITY, type CheckArgumentsInput, type CheckArgumentsResult } from '../../agent/protocol/activities';
import type { ApprovalOutcome, EditedArguments } from '../../agent/state/state';
import { defined } from '../../agent/values/defined';
import { type JsonObject, jsonBytes } from '../../agent/values/json';
import { runShort } from '../run/patient-activity';
import type { Run } from '../run/run';
import { fence } from '../view/visibility';
import { checkDecision, refusalOf } from './check-decision';

/** Takes a person's decision on a call. */
export async function decideApproval(run: Run, kind: Decision['decision'], given: unknown): Promise<ApprovalOutcome> {
  const decision = checkDecision(kind, given);
  refuse(run, decision);
  let edit: EditedArguments | undefined;
  if (decision.decision === 'edit') {
    const room = run.bytes.spend(jsonBytes(decision.input));
    if (room !== undefined) await room;
    edit = await checkEdit(run, decision.toolUseId, decision.input);
    // Somebody else may have decided while the arguments were checked.
    refuse(run, decision);
  }
  const { by } = decision;
  const comment = decision.decision === 'deny' ? decision.reason : decision.comment;
  const decided = {
    decision: decision.decision,
    by,
    at: Date.now(),
    ...defined({ comment, edit, remember: decision.remember }),
  };
  run.apply({ type: 'decided', toolUseId: decision.toolUseId, decided });
  // Whoever edited has the arguments: they need not travel, and stand in history, once more.
  const { edit: _, ...taken } = decided;
  return taken;
}

function refuse({ state }: Run, decision: Decision): void {
  const refusal = refusalOf(state, decision);
  if (refusal !== undefined) throw refusal;
}

async function checkEdit(run: Run, toolUseId: string, input: JsonObject): Promise<EditedArguments> {
  const { id } = run.state;
  const name = run.call(toolUseId)?.name ?? '';
  const args: CheckArgumentsInput = { pin: run.pin, toolUseId, name, input };
  const summary = `${toolUseId}: check the new arguments`;
  const verdict = await checkByActivity<CheckArgumentsResult>(run, ACTIVITY.checkArguments, args, summary);
  if (!verdict.ok) throw new HoldfastError('InvalidEdit', { id, toolUseId, tool: name, problem: verdict.problem });
  const { hash, key } = verdict;
  return { input: verdict.input ?? input, hash, key };
}

/**
 * Has a worker check what a person sent. It leaves a marker: where the message came by signal and is refused now, nothing
 * else does, and a message that comes next is to find it refused on a replay as well.
 */
export async function checkByActivity<Verdict>(
  run: Run,
  activity: string,
  input: unknown,
  summary: string,
): Promise<Verdict | { ok: false; problem: string }> {
  try {
    return await runShort<Verdict>(activity, input, summary);
  } catch (error) {
    // Thrown on, it would end the whole run where the message came by signal: that of a cancel past its own ending.
    if (!(error instanceof TemporalFailure)) throw error;
    return { ok: false, problem: `it could not be checked, ${rootCause(error) ?? error.message}` };
  } finally {
    fence(run);
  }
}
