import { CancellationScope, CancelledFailure } from '@temporalio/workflow';
import { HoldfastError } from '../../agent/errors/error';
import { isCompletion } from '../../agent/plan/lanes';
import type { CallPlan } from '../../agent/plan/plan-calls';
import { checkRepeated } from '../../agent/plan/repeated-errors';
import { argumentsEdited } from '../../agent/prompts/calls/results';
import type { CallModelResult } from '../../agent/protocol/calls/model-call';
import type { ToolOutcome } from '../../agent/protocol/calls/tool-call';
import type { Run } from '../run/run';
import { runSteps, type Steps, until } from '../run/scheduling/steps';
import { checkAttempts } from '../state/reducers/progress/output-attempts';
import { decisionOn, isOpen, type ToolCall, toolOf } from '../state/selectors/calls';
import type { Verdict } from '../turn/verdict';
import { askApprovals, awaitClearance, notRun } from '../waits/approvals';
import { settledBeside } from '../waits/wait';
import { outcomeOfFailure } from './failure-outcome';
import type { LoopExit } from './loop-tool';
import { type Ran, runCall } from './run-call';
import { type AnsweredCall, answerOutcomes } from './service-outcome';
import { itsTurn } from './wait-for-lane';

/** How the loop ends is not part of the state: until the batch is settled, no other run can go on with it. */
const EXIT = 'the end of the loop';

/** What the calls of one answer have in common. */
interface Batch {
  /** Number of calls that have neither a result nor the answer of a service. */
  open: number;
  /** Answers of services, which are checked together once all calls have settled. */
  answered: AnsweredCall[];
  /** Settles when it is known which calls wait for a person. `undefined`: none does. */
  asked?: Promise<void>;
  /** How the loop ends, once the batch is settled. Set by the first tool that ends it. */
  exit?: LoopExit;
  /** Why the run ends, once the batch is settled. */
  fatal?: HoldfastError;
  scope: CancellationScope;
  /** The calls wait since an earlier history: people have been asked. */
  resumed: boolean;
}

/** Runs all calls of an answer at once. Each result is a fact when it arrives, and a message when all have arrived. */
export function* act(run: Run, { answer, plan }: { answer: CallModelResult; plan: CallPlan }): Steps<Verdict> {
  run.apply({ type: 'acting', answer, plan });
  takeResults(run, answer);
  return yield* runCalls(run, openCalls(run, plan));
}

/** Goes on with calls that wait since an earlier history. */
export function resumeCalls(run: Run): Steps<Verdict> {
  return runCalls(
    run,
    run.state.batch.flatMap((call) => {
      const tool = toolOf(run.state, call.name);
      return call.status === 'open' && tool !== undefined ? [{ call, tool }] : [];
    }),
    true,
  );
}

function* runCalls(run: Run, calls: readonly ToolCall[], resumed = false): Steps<Verdict> {
  const batch: Batch = { open: calls.length, answered: [], scope: CancellationScope.current(), resumed };
  // A result ends the loop: all other calls run first.
  const last = calls.filter(({ tool }) => isCompletion(tool));
  const others = last.length === 0 ? calls : calls.filter((call) => !last.includes(call));
  const gated = calls.filter(({ tool }) => tool.approval !== undefined);
  if (gated.length > 0) yield settleGated(run, others, batch, gated);
  else if (others.length > 1) yield settleEach(run, others, batch);
  else for (const call of others) yield* settle(run, call, batch);
  for (const call of last) yield* settle(run, call, batch);
  if (batch.answered.length > 0) yield settleAnswers(run, batch.answered);
  return endBatch(run, batch);
}

function endBatch(run: Run, batch: Batch): Verdict {
  run.inFlight.delete(EXIT);
  run.apply({ type: 'batchSettled' });
  if (batch.fatal !== undefined) throw batch.fatal;
  // The transcript is complete at this point: each call has its result. Now the cancel may take effect.
  if (CancellationScope.current().consideredCancelled) throw new CancelledFailure('the run was cancelled');
  if (batch.exit !== undefined) return exitLoop(run, batch.exit);
  checkAttempts(run.state);
  checkRepeated(run.state.repeated);
  return { to: 'gate' };
}

/** Settles the results that came with the answer before anything is scheduled, so no marker has to separate them. */
function takeResults(run: Run, { results = [] }: CallModelResult): void {
  for (const { toolUseId, outcome, start, end } of results) {
    const call = run.call(toolUseId);
    if (call === undefined || !isOpen(call)) run.apply({ type: 'strangeResult', toolUseId });
    else run.apply({ type: 'settled', toolUseId, outcome, ran: { start, end } });
  }
}

/** The calls of a plan that have not run yet, with their tools. */
function openCalls(run: Run, plan: CallPlan): ToolCall[] {
  const batch = new Map(run.state.batch.map((call) => [call.toolUseId, call]));
  return plan.calls.flatMap(({ toolUseId, tool }) => {
    const call = batch.get(toolUseId);
    return tool !== undefined && call !== undefined && isOpen(call) ? [{ call, tool }] : [];
  });
}

function settleEach(run: Run, calls: readonly ToolCall[], batch: Batch): Promise<unknown> {
  return Promise.all(calls.map((call) => runSteps(settle(run, call, batch))));
}

/** Settles a batch in which some calls wait for a person while the others run. */
async function settleGated(
  run: Run,
  calls: readonly ToolCall[],
  batch: Batch,
  gated: readonly ToolCall[],
): Promise<void> {
  batch.scope = new CancellationScope();
  await batch.scope.run(async () => {
    batch.asked = batch.resumed ? Promise.resolve() : askApprovals(run, gated);
    await settleEach(run, calls, batch);
  });
}

/** Takes one call from its approval to its result. There is always a result, whatever happens. */
function* settle(run: Run, { call, tool }: ToolCall, batch: Batch): Steps<void> {
  const { toolUseId } = call;
  let begun = false;
  let ran: Ran;
  try {
    let refused: ToolOutcome | undefined;
    if (batch.asked !== undefined && tool.approval !== undefined) {
      yield batch.asked;
      refused = yield* until(awaitClearance(run, { call, tool }));
    }
    // With the arguments as a person may have edited them.
    const cleared = { call: run.call(toolUseId) ?? call, tool };
    const held = refused === undefined ? itsTurn(run, cleared.call) : undefined;
    if (held !== undefined) yield held;
    begun = refused === undefined;
    ran = refused ?? (yield* runCall(run, cleared));
  } catch (error) {
    ran = begun ? outcomeOfFailure(error, tool, run.state) : notRun(error, tool);
    if (error instanceof HoldfastError) {
      batch.fatal ??= error;
      run.inFlight.add(EXIT);
      batch.scope.cancel();
    }
  }
  if ('answer' in ran) batch.answered.push(ran);
  else {
    const { exit, ...outcome } = ran;
    if (exit !== undefined) {
      batch.exit ??= exit;
      run.inFlight.add(EXIT);
    }
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

/** Tells the model that the call ran with other arguments than it asked for. */
function withEdit(run: Run, toolUseId: string, outcome: ToolOutcome): ToolOutcome {
  const call = run.call(toolUseId);
  const { edit, by } = (call && decisionOn(call)) ?? {};
  if (edit === undefined) return outcome;
  const text = argumentsEdited(JSON.stringify(edit.input), by);
  return { ...outcome, content: [{ type: 'text', text }, ...outcome.content] };
}

/** Ends the exchange or the task, unless a person has said something that no model call has included yet. */
function exitLoop(run: Run, ends: LoopExit): Verdict {
  if (run.state.steers.length > 0) return { to: 'gate' };
  if (ends.type === 'complete') run.apply({ type: 'completed', data: ends.data, text: ends.text });
  else run.apply({ type: 'exchangeEnded', reason: 'conversing', data: ends.message });
  return { to: 'end' };
}
