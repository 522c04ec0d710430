import { CancellationScope, CancelledFailure } from '@temporalio/workflow';
import { HoldfastError } from '../../agent/errors/error';
import { isCompletion } from '../../agent/plan/lanes';
import type { CallPlan } from '../../agent/plan/plan-calls';
import type { CallModelResult } from '../../agent/protocol/activities';
import type { ToolOutcome } from '../../agent/protocol/tool-call';
import type { Run } from '../run/run';
import { checkAttempts } from '../state/reducers/output-attempts';
import { decisionOn, isOpen } from '../state/selectors/calls';
import type { Verdict } from '../turn/verdict';
import { askApprovals, awaitClearance, notRun, type ToolCall } from '../waits/approvals';
import { settledBeside } from '../waits/wait';
import { outcomeOfFailure } from './failure-outcome';
import type { LoopExit } from './loop-tool';
import { type Ran, runCall } from './run-call';
import { type AnsweredCall, answerOutcomes } from './service-outcome';
import { itsTurn } from './wait-for-lane';

/** What the calls of one answer have in common. */
interface Batch {
  /** Calls that have neither a result nor the answer of a service. */
  open: number;
  /** Answers of services, which are checked together once all calls have settled. */
  answered: AnsweredCall[];
  /** Settles when it is known which calls wait for a person. Missing: none does. */
  asked?: Promise<void>;
  /** How the loop ends, once the batch is settled. Only the first tool that ends it does. */
  exit?: LoopExit;
  /** Why the run ends, once the batch is settled. */
  fatal?: HoldfastError;
  scope: CancellationScope;
}

/** Runs all calls of an answer at once; each result is a fact when it comes, and a message when all have come. */
export async function act(run: Run, { answer, plan }: { answer: CallModelResult; plan: CallPlan }): Promise<Verdict> {
  run.apply({ type: 'acting', answer, plan });
  takeResults(run, answer);
  const calls = openCalls(run, plan);
  const batch: Batch = { open: calls.length, answered: [], scope: CancellationScope.current() };
  if (calls.length > 0) await settleAll(run, calls, batch);
  if (batch.answered.length > 0) await settleAnswers(run, batch.answered);
  run.apply({ type: 'batchSettled' });
  if (batch.fatal !== undefined) throw batch.fatal;
  // The transcript is whole at this point, each call has its result: now the cancel may go on.
  if (CancellationScope.current().consideredCancelled) throw new CancelledFailure('the run was cancelled');
  if (batch.exit !== undefined) return exitLoop(run, batch.exit);
  checkAttempts(run.state);
  return { to: 'gate' };
}

/** Results that came with the answer. All of them are settled before anything is scheduled: no marker has to keep them apart. */
function takeResults(run: Run, { results = [] }: CallModelResult): void {
  for (const { toolUseId, outcome, start, end } of results) {
    const call = run.call(toolUseId);
    if (call === undefined || !isOpen(call)) run.apply({ type: 'strangeResult', toolUseId });
    else run.apply({ type: 'settled', toolUseId, outcome, ran: { start, end } });
  }
}

/** The calls of a plan that are still to be run, with their tools. */
function openCalls(run: Run, plan: CallPlan): ToolCall[] {
  return plan.calls.flatMap(({ toolUseId, tool }) => {
    const call = run.call(toolUseId);
    return tool !== undefined && call !== undefined && isOpen(call) ? [{ call, tool }] : [];
  });
}

async function settleAll(run: Run, calls: readonly ToolCall[], batch: Batch): Promise<void> {
  const [first] = calls;
  const gated = calls.filter(({ tool }) => tool.approval !== undefined);
  // A result ends the loop: whatever else was asked for comes first.
  const last = calls.filter(({ tool }) => isCompletion(tool));
  const others = last.length === 0 ? calls : calls.filter((call) => !last.includes(call));
  if (gated.length > 0) await settleGated(run, others, batch, gated);
  // One call is the usual case, and the SDK takes a stack trace of each promise that Promise.all would make.
  else if (first !== undefined && calls.length === 1) return settle(run, first, batch);
  else await Promise.all(others.map((call) => settle(run, call, batch)));
  for (const call of last) await settle(run, call, batch);
}

/** A batch of which some calls wait for a person, while the others run. */
async function settleGated(
  run: Run,
  calls: readonly ToolCall[],
  batch: Batch,
  gated: readonly ToolCall[],
): Promise<void> {
  batch.scope = new CancellationScope();
  await batch.scope.run(async () => {
    batch.asked = askApprovals(run, gated);
    await Promise.all(calls.map((call) => settle(run, call, batch)));
  });
}

/** One call from its approval to its result, which there is whatever happens. */
async function settle(run: Run, { call, tool }: ToolCall, batch: Batch): Promise<void> {
  const { toolUseId } = call;
  let begun = false;
  let ran: Ran;
  try {
    let refused: ToolOutcome | undefined;
    if (batch.asked !== undefined && tool.approval !== undefined) {
      await batch.asked;
      refused = await awaitClearance(run, { call, tool });
    }
    // With what a person may have put in the place of its arguments.
    const cleared = { call: run.call(toolUseId) ?? call, tool };
    const held = refused === undefined ? itsTurn(run, cleared.call) : undefined;
    if (held !== undefined) await held;
    begun = refused === undefined;
    ran = refused === undefined ? await runCall(run, cleared) : { outcome: refused };
  } catch (error) {
    ran = { outcome: begun ? outcomeOfFailure(error, tool) : notRun(error, tool) };
    if (error instanceof HoldfastError) {
      batch.fatal ??= error;
      batch.scope.cancel();
    }
  }
  if ('answer' in ran) batch.answered.push(ran);
  else {
    const { outcome, exit } = ran;
    if (exit !== undefined) batch.exit ??= exit;
    run.apply({ type: 'settled', toolUseId, outcome: begun ? withEdit(run, toolUseId, outcome) : outcome });
  }
  batch.open--;
  if (batch.open > 0) settledBeside(run);
}

async function settleAnswers(run: Run, answered: readonly AnsweredCall[]): Promise<void> {
  const outcomes = await answerOutcomes(run, answered);
  answered.forEach(({ call: { toolUseId } }, i) => {
    const outcome = outcomes[i];
    if (outcome !== undefined) run.apply({ type: 'settled', toolUseId, outcome: withEdit(run, toolUseId, outcome) });
  });
}

/** The model has to know that something else ran than what it asked for. */
function withEdit(run: Run, toolUseId: string, outcome: ToolOutcome): ToolOutcome {
  const call = run.call(toolUseId);
  const { edit, by } = (call && decisionOn(call)) ?? {};
  if (edit === undefined) return outcome;
  const text = `${by} changed the arguments before the call ran, to: ${JSON.stringify(edit.input)}`;
  return { ...outcome, content: [{ type: 'text', text }, ...outcome.content] };
}

/** Ends the exchange, or the task; not where a person has said something that no call has carried yet. */
function exitLoop(run: Run, ends: LoopExit): Verdict {
  if (run.state.steers.length > 0) return { to: 'gate' };
  if (ends.type === 'complete') run.apply({ type: 'completed', data: ends.data, text: ends.text });
  else run.apply({ type: 'exchangeEnded', reason: 'conversing', data: ends.message });
  return { to: 'end' };
}
