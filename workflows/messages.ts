import { TemporalFailure } from '@temporalio/common';
import { defineSignal, defineUpdate, setHandler } from '@temporalio/workflow';
import { ACTIVITY, type CheckArgumentsInput, MESSAGE, type SchemaVerdict } from '../agent/activities';
import type { Decision } from '../agent/approval';
import { HoldfastError } from '../agent/error';
import { jsonBytes } from '../agent/json';
import type { Decided } from '../agent/state';
import { runShort } from './activity';
import { type Answered, answerOfEvent, answerOfToolResult } from './answers';
import { checkDecision, refusalOf } from './judge-decision';
import type { Run } from './run';
import { failureOf } from './run';

/** What a run can be told: decisions by update or signal, answers of services by signal. A wrong signal is counted. */
export function takeMessages(run: Run): void {
  for (const kind of ['approve', 'deny', 'edit'] as const) {
    setHandler(defineUpdate<Decided, [unknown]>(MESSAGE[kind]), (given) => refused(() => decide(run, kind, given)), {
      validator: (given) => refusedAtOnce(() => checkDecision(kind, given)),
      description: SAYS[kind],
    });
    const signalled = (given: unknown) => decide(run, kind, given).then(noAnswer, (error) => ignore(run, error, given));
    setHandler(defineSignal<[unknown]>(MESSAGE[kind]), signalled, { description: SAYS[kind] });
  }
  const { toolResult, serviceAnswer } = MESSAGE;
  setHandler(defineSignal<[unknown]>(toolResult), (given) => take(run, answerOfToolResult(run.state, given)), {
    description: SAYS[toolResult],
  });
  setHandler(defineSignal<[unknown]>(serviceAnswer), (given) => take(run, answerOfEvent(run.state, given)), {
    description: SAYS[serviceAnswer],
  });
}

/** What the Web UI shows beside the names. */
const SAYS: { readonly [Name in keyof typeof MESSAGE]: string } = {
  approve: 'Let a call run: {"toolUseId": "t1.1", "by": "ann"}',
  deny: 'Keep a call from running: {"toolUseId": "t1.1", "by": "ann", "reason": "…"}',
  edit: 'Let a call run with other arguments: {"toolUseId": "t1.1", "by": "ann", "input": {…}}',
  toolResult: 'Answer a call: {"toolUseId": "t1.1", "data": …} or {"toolUseId": "t1.1", "error": "…"}',
  serviceAnswer: 'Answer a call by the CloudEvent of its service',
};

function noAnswer(): void {}

async function decide(run: Run, kind: Decision['decision'], given: unknown): Promise<Decided> {
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
  // Not a local one: several edits may come in one task, and what follows from the first is then told before or after
  // the others are checked, which a replay does the other way round.
  const summary = `${toolUseId}: check the new arguments`;
  const checked = runShort<SchemaVerdict>(ACTIVITY.checkArguments, args, summary);
  const verdict = await checked.catch((error: unknown): SchemaVerdict => {
    // Thrown on, it would end the whole run where the decision came by signal: that of a cancel past its own ending.
    if (!(error instanceof TemporalFailure)) throw error;
    return { ok: false, problem: `they could not be checked, ${error.message}` };
  });
  if (!verdict.ok) throw new HoldfastError('InvalidEdit', { id, toolUseId, tool: name, problem: verdict.problem });
}

/** Only this update fails: a plain error in a handler would end the whole run. */
async function refused<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof HoldfastError ? failureOf(error) : error;
  }
}

function refusedAtOnce(check: () => unknown): void {
  try {
    check();
  } catch (error) {
    throw error instanceof HoldfastError ? failureOf(error) : error;
  }
}

function take(run: Run, answered: Answered): void {
  if ('why' in answered) run.apply({ type: 'ignored', ...answered });
  else run.apply({ type: 'serviceAnswered', ...answered });
}

function ignore(run: Run, error: unknown, given: unknown): void {
  if (!(error instanceof HoldfastError)) throw error;
  const id = typeof given === 'object' && given !== null && 'toolUseId' in given ? given.toolUseId : undefined;
  run.apply({
    type: 'ignored',
    why: error.type,
    detail: error.message.slice(0, 500),
    ...(typeof id === 'string' ? { toolUseId: id.slice(0, 100) } : {}),
  });
}
