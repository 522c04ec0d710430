import { TemporalFailure } from '@temporalio/common';
import { ACTIVITY, type CheckArgumentsInput, type SchemaVerdict } from '../agent/activities';
import type { Decision } from '../agent/approval';
import { HoldfastError } from '../agent/error';
import { jsonBytes } from '../agent/json';
import type { Decided } from '../agent/state';
import { runShort } from './activity';
import { checkDecision, refusalOf } from './judge-decision';
import type { Run } from './run';

/** Takes a person's decision on a call. */
export async function decide(run: Run, kind: Decision['decision'], given: unknown): Promise<Decided> {
  const decision = checkDecision(kind, given);
  refuse(run, decision);
  if (decision.decision === 'edit') {
    const room = run.bytes.spend(jsonBytes(decision.input));
    if (room !== undefined) await room;
    await checkEdit(run, decision.toolUseId, decision.input);
    // Somebody else may have decided while the arguments were checked.
    refuse(run, decision);
  }
  const { by } = decision;
  const comment = decision.decision === 'deny' ? decision.reason : decision.comment;
  const decided = {
    decision: decision.decision,
    by,
    at: Date.now(),
    ...(comment === undefined ? {} : { comment }),
    ...(decision.decision === 'edit' ? { input: decision.input } : {}),
    ...(decision.decision !== 'edit' && decision.remember !== undefined ? { remember: decision.remember } : {}),
  };
  run.apply({ type: 'decided', toolUseId: decision.toolUseId, decided });
  // Whoever edited has the arguments: they need not travel, and stand in history, once more.
  const { input: _, ...taken } = decided;
  return taken;
}

function refuse({ state }: Run, decision: Decision): void {
  const refusal = refusalOf(state, decision);
  if (refusal !== undefined) throw refusal;
}

async function checkEdit(run: Run, toolUseId: string, input: CheckArgumentsInput['input']): Promise<void> {
  const { id } = run.state;
  const name = run.call(toolUseId)?.name ?? '';
  const args: CheckArgumentsInput = { pin: run.pin, name, input };
  const verdict = await checked<SchemaVerdict>(ACTIVITY.checkArguments, args, `${toolUseId}: check the new arguments`);
  if (!verdict.ok) throw new HoldfastError('InvalidEdit', { id, toolUseId, tool: name, problem: verdict.problem });
}

/**
 * Has a worker check what a person sent. Not as a local activity: several may come in one task, and what follows from the
 * first is then told before or after the others are checked, which a replay does the other way round.
 */
export async function checked<Verdict>(
  activity: string,
  input: unknown,
  summary: string,
): Promise<Verdict | { ok: false; problem: string }> {
  return runShort<Verdict>(activity, input, summary).catch((error: unknown) => {
    // Thrown on, it would end the whole run where the message came by signal: that of a cancel past its own ending.
    if (!(error instanceof TemporalFailure)) throw error;
    return { ok: false as const, problem: `it could not be checked, ${error.message}` };
  });
}
