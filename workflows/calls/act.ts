import { CancellationScope, CancelledFailure } from '@temporalio/workflow';
import { HoldfastError } from '../../agent/errors/error';
import type { ModelAnswer } from '../../agent/model/answer';
import type { ToolOf, ToolSpec } from '../../agent/protocol/manifest';
import type { RunToolInput, ToolOutcome } from '../../agent/protocol/tool-call';
import type { BatchCall } from '../../agent/state/state';
import { jsonBytes } from '../../agent/values/json';
import { runPatiently } from '../run/patient-activity';
import type { Run } from '../run/run';
import { checkAttempts, isCompletion } from '../state/output-attempts';
import { inputOf } from '../state/waits';
import { toolSummary } from '../view/summaries';
import { fence } from '../view/visibility';
import { askApprovals, awaitClearance, notRun, type ToolCall } from '../waits/approvals';
import { outcomeOfFailure } from './failure-outcome';
import { idempotencyKey } from './idempotency-key';
import { type LoopExit, runLoopTool } from './loop-tool';
import { answerServer } from './mcp-rounds';
import { serve } from './service';
import { type AnsweredCall, answerOutcomes } from './service-outcome';
import { toolOptions } from './tool-options';
import { itsTurn } from './wait-for-lane';

/** What the calls of one answer have in common. */
interface Batch {
  /** Calls that have neither a result nor the answer of a service. */
  open: number;
  /** Answers of services, which are checked together once all calls have settled. */
  answered: AnsweredCall[];
  /** Settles when it is known which calls wait for a person. Missing: none does. */
  asked?: Promise<void>;
  /** How the loop ends, once the batch is settled. */
  exit?: LoopExit;
  /** Why the run ends, once the batch is settled. */
  fatal?: HoldfastError;
  scope: CancellationScope;
}

/**
 * Runs all calls of an answer at once; each result is a fact when it comes, and a message when all have come. True: one
 * of them ended the loop.
 */
export async function act(run: Run, answer: ModelAnswer): Promise<boolean> {
  run.apply({ type: 'acting', answer });
  const calls = run.state.batch
    .filter((call) => call.problem === undefined)
    .map((call): ToolCall => ({ call, tool: toolOf(run, call) }));
  const [first] = calls;
  const gated = calls.filter(({ tool }) => tool.approval !== undefined);
  const batch: Batch = { open: calls.length, answered: [], scope: CancellationScope.current() };
  // A result ends the loop: whatever else was asked for comes first.
  const last = calls.filter(({ tool }) => isCompletion(tool));
  const others = last.length === 0 ? calls : calls.filter((call) => !last.includes(call));
  if (gated.length > 0) await actGated(run, others, batch, gated);
  // One call is the usual case, and the SDK takes a stack trace of each promise that Promise.all would make.
  else if (first !== undefined && calls.length === 1) await settle(run, first, batch);
  else await Promise.all(others.map((call) => settle(run, call, batch)));
  if (calls.length > 1) for (const call of last) await settle(run, call, batch);
  if (batch.answered.length > 0) await settleAnswers(run, batch.answered);
  run.apply({ type: 'batchSettled' });
  if (batch.fatal !== undefined) throw batch.fatal;
  // The transcript is whole at this point, each call has its result: now the cancel may go on.
  if (CancellationScope.current().consideredCancelled) throw new CancelledFailure('the run was cancelled');
  if (batch.exit !== undefined) return exitLoop(run, batch.exit);
  checkAttempts(run.state);
  return false;
}

/** Ends the exchange, or the task; not where a person has said something that no call has carried yet. */
function exitLoop(run: Run, ends: LoopExit): boolean {
  if (run.state.steers.length > 0) return false;
  if (ends.type === 'complete') run.apply({ type: 'completed', data: ends.data, text: ends.text });
  else run.apply({ type: 'exchangeEnded', reason: 'conversing', data: ends.message });
  return true;
}

/** A batch of which some calls wait for a person, while the others run. */
async function actGated(run: Run, calls: readonly ToolCall[], batch: Batch, gated: readonly ToolCall[]): Promise<void> {
  batch.scope = new CancellationScope();
  await batch.scope.run(async () => {
    batch.asked = askApprovals(run, gated);
    await Promise.all(calls.map((call) => settle(run, call, batch)));
  });
}

function toolOf({ state }: Run, call: BatchCall): ToolSpec {
  const tool = state.manifest?.tools.find(({ name }) => name === call.name);
  if (tool === undefined) throw new Error(`${call.name} is pinned by no manifest`);
  return tool;
}

async function settle(run: Run, gated: ToolCall, batch: Batch): Promise<void> {
  const { tool } = gated;
  const { toolUseId } = gated.call;
  let outcome: ToolOutcome | undefined;
  let begun = false;
  let mark = 0;
  try {
    if (batch.asked !== undefined && tool.approval !== undefined) {
      await batch.asked;
      outcome = await awaitClearance(run, gated);
    }
    const call = run.call(toolUseId) ?? gated.call;
    const held = outcome === undefined ? itsTurn(run, call) : undefined;
    if (held !== undefined) await held;
    if (outcome === undefined && tool.kind === 'service') {
      begun = true;
      const answered = await serve(run, { call, tool });
      if ('answer' in answered) {
        batch.answered.push(answered);
        leave(run, batch);
        return;
      }
      outcome = answered;
    } else if (outcome === undefined && tool.kind === 'loop') {
      begun = true;
      outcome = await loopTool(run, { call, tool }, batch);
    } else if (outcome === undefined) {
      const input = toolInput(run, call);
      const room = run.bytes.spend(jsonBytes(input));
      if (room !== undefined) await room;
      mark = run.bytes.mark;
      begun = true;
      outcome = await runPatiently<ToolOutcome>(tool.name, input, optionsOf(tool, call, run));
      run.bytes.prove(mark);
      if (outcome.needs !== undefined) {
        outcome = await answerServer(run, { call, tool }, outcome, async (round, resume) => {
          const next = { ...input, resume };
          const free = run.bytes.spend(jsonBytes(next));
          if (free !== undefined) await free;
          return runPatiently<ToolOutcome>(tool.name, next, optionsOf(tool, call, run, round));
        });
      }
    }
  } catch (error) {
    run.bytes.proveByFailure(mark, error);
    outcome = begun ? outcomeOfFailure(error, tool) : notRun(error, tool);
    if (error instanceof HoldfastError) {
      batch.fatal ??= error;
      batch.scope.cancel();
    }
  }
  run.apply({ type: 'settled', toolUseId, outcome: begun ? withEdit(run, toolUseId, outcome) : outcome });
  leave(run, batch);
}

/** A message that comes before the others settle is to find this one settled on a replay as well. */
function leave(run: Run, batch: Batch): void {
  batch.open--;
  if (batch.open > 0) fence(run);
}

async function settleAnswers(run: Run, answered: readonly AnsweredCall[]): Promise<void> {
  const outcomes = await answerOutcomes(run, answered);
  answered.forEach(({ call: { toolUseId } }, i) => {
    const outcome = outcomes[i];
    if (outcome !== undefined) run.apply({ type: 'settled', toolUseId, outcome: withEdit(run, toolUseId, outcome) });
  });
}

/** Only the first tool that ends the loop does. */
async function loopTool(run: Run, gated: ToolCall<ToolOf<'loop'>>, batch: Batch): Promise<ToolOutcome> {
  const { outcome, exit } = await runLoopTool(run, gated);
  if (exit !== undefined) batch.exit ??= exit;
  return outcome;
}

function toolInput({ state, pin }: Run, call: BatchCall): RunToolInput {
  return {
    pin,
    turn: state.turn,
    toolUseId: call.toolUseId,
    idempotencyKey: idempotencyKey(state, call),
    input: inputOf(call),
  };
}

/** The model has to know that something else ran than what it asked for. */
function withEdit(run: Run, toolUseId: string, outcome: ToolOutcome): ToolOutcome {
  const { edit, by } = run.call(toolUseId)?.approval?.decision ?? {};
  if (edit === undefined) return outcome;
  const text = `${by} changed the arguments before the call ran, to: ${JSON.stringify(edit.input)}`;
  return { ...outcome, content: [{ type: 'text', text }, ...outcome.content] };
}

function optionsOf(tool: ToolSpec, call: BatchCall, { state, bytes }: Run, round = 1) {
  return {
    bytes,
    activityId: round === 1 ? call.toolUseId : `${call.toolUseId}-${round}`,
    ...toolOptions(tool, state),
    summary: toolSummary(tool, state.turn, call),
  };
}
